// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Attributes of the dialect on other operations.

// expected-error@+1 {{found unsupported 'spirv.colour' attribute on operation}}
func.func @f() attributes {spirv.colour} {
  return
}

// -----

// expected-error@+1 {{'spirv.entry_point_abi' attribute must be an entry point ABI attribute}}
func.func @f() attributes {spirv.entry_point_abi = 1} {
  return
}

// -----

// expected-error@+1 {{'spirv.target_env' must be a spirv::TargetEnvAttr}}
func.func @f() attributes {spirv.target_env = 1} {
  return
}

// -----

// expected-error@+1 {{found unsupported 'spirv.colour' attribute on region argument}}
func.func @f(%a: i32 {spirv.colour}) {
  return
}

// -----

// expected-error@+1 {{'spirv.interface_var_abi' must be a spirv::InterfaceVarABIAttr}}
func.func @f(%a: i32 {spirv.interface_var_abi = 1}) {
  return
}

// -----

// expected-error@+1 {{'spirv.interface_var_abi' attribute cannot specify storage class when attaching to a non-scalar value}}
func.func @f(%a: vector<4xf32> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 1), Uniform>}) {
  return
}

// -----

// expected-error@+1 {{cannot attach SPIR-V attributes to region result which is not part of a spirv::GraphARMOp type}}
func.func @f(%a: i32) -> (i32 {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 1)>}) {
  return %a : i32
}
