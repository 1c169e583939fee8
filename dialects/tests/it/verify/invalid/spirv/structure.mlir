// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of modules and what they hold.

spirv.module Logical GLSL450 {
  // expected-error@+1 {{'spirv.module' can only contain spirv.* ops}}
  "test.op"() : () -> ()
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
    // expected-error@+1 {{functions in 'spirv.module' can only contain spirv.* ops}}
    "test.op"() : () -> ()
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{'spirv.module' cannot contain external functions without 'Import' linkage_attributes (LinkageAttributes)}}
  spirv.func @f() "None"
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{function 'f' not found in 'spirv.module'}}
  spirv.EntryPoint "GLCompute" @f
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
    spirv.Return
  }
  // expected-error@+1 {{expected spirv.GlobalVariable symbol reference instead of'@f'}}
  spirv.EntryPoint "GLCompute" @f, @f
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
    spirv.Return
  }
  spirv.EntryPoint "GLCompute" @f
  // expected-error@+1 {{duplicate of a previous EntryPointOp}}
  spirv.EntryPoint "GLCompute" @f
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{invalid execution_model attribute specification}}
  spirv.EntryPoint "Gluing" @f
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
    spirv.Return
  }
  // expected-error@+1 {{invalid execution_mode attribute specification}}
  spirv.ExecutionMode @f "Fast"
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() -> i32 "None" {
    // expected-error@+1 {{cannot be used in functions returning value}}
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f(%a: i32) "None" {
    // expected-error@+1 {{returns 1 value but enclosing function requires 0 results}}
    spirv.ReturnValue %a : i32
  }
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f(%a: i32) -> f32 "None" {
    // expected-error@+1 {{ return value's type ('i32') mismatch with function's result type ('f32')}}
    spirv.ReturnValue %a : i32
  }
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{cannot have more than one result}}
  spirv.func @f(%a: i32) -> (i32, i32) "None" {
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{invalid function_control attribute specification}}
  spirv.func @f(%a: i32) "Quick" {
    spirv.Return
  }
}

// -----

func.func @f() {
  // expected-error@+1 {{op must appear in a module-like op's block}}
  spirv.GlobalVariable @v : !spirv.ptr<f32, Private>
  return
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{storage class cannot be 'Generic'}}
  spirv.GlobalVariable @v : !spirv.ptr<f32, Generic>
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{storage class cannot be 'Function'}}
  spirv.GlobalVariable @v : !spirv.ptr<f32, Function>
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{expected spirv.ptr type}}
  spirv.GlobalVariable @v : f32
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{result must be of a !spv.ptr type}}
  "spirv.GlobalVariable"() <{sym_name = "v", type = f32}> : () -> ()
}

// -----

spirv.module Logical GLSL450 {
  spirv.GlobalVariable @w : !spirv.ptr<f32, Private>
  // expected-error@+1 {{initializer must be result of a spirv.SpecConstant or spirv.SpecConstantCompositeOp op}}
  spirv.GlobalVariable @v initializer(@w) : !spirv.ptr<f32, Private>
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
    // expected-error@+1 {{expected spirv.GlobalVariable symbol}}
    %0 = spirv.mlir.addressof @v : !spirv.ptr<f32, Private>
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v : !spirv.ptr<f32, Private>
  spirv.func @f() "None" {
    // expected-error@+1 {{result type mismatch with the referenced global variable's type}}
    %0 = spirv.mlir.addressof @v : !spirv.ptr<i32, Private>
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
    // expected-error@+1 {{expected spirv.SpecConstant or spirv.SpecConstantComposite symbol}}
    %0 = spirv.mlir.referenceof @v : i32
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  spirv.SpecConstant @v = 1 : i32
  spirv.func @f() "None" {
    // expected-error@+1 {{result type mismatch with the referenced specialization constant's type}}
    %0 = spirv.mlir.referenceof @v : f32
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{SpecId cannot be negative}}
  spirv.SpecConstant @v spec_id(-5) = 1 : i32
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{default value bitwidth disallowed}}
  spirv.SpecConstant @v = 1 : i15
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{default value can only be a bool, integer, or float scalar}}
  spirv.SpecConstant @v = dense<1> : vector<2xi32>
}

// -----

spirv.module Logical GLSL450 {
  spirv.SpecConstant @a = 1 : i32
  // expected-error@+1 {{result type must be a composite type, but provided 'i32'}}
  spirv.SpecConstantComposite @v (@a) : i32
}

// -----

spirv.module Logical GLSL450 {
  spirv.SpecConstant @a = 1 : i32
  // expected-error@+1 {{has incorrect number of operands: expected 3, but provided 1}}
  spirv.SpecConstantComposite @v (@a) : !spirv.array<3 x i32>
}

// -----

spirv.module Logical GLSL450 {
  spirv.SpecConstant @a = 1 : i32
  // expected-error@+1 {{has incorrect types of operands: expected 'f32', but provided 'i32'}}
  spirv.SpecConstantComposite @v (@a) : !spirv.array<1 x f32>
}

// -----

spirv.module Logical GLSL450 {
  spirv.SpecConstant @a = 1 : i32
  // expected-error@+1 {{unsupported composite type  '!spirv.coopmatrix<8x8xi32, Subgroup, MatrixA>'}}
  spirv.SpecConstantComposite @v (@a) : !spirv.coopmatrix<8x8xi32, Subgroup, MatrixA>
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{result type must be a composite type, but provided 'i32'}}
  spirv.EXT.SpecConstantCompositeReplicate @v (@a) : i32
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{splat spec constant reference defining constituent not found}}
  spirv.EXT.SpecConstantCompositeReplicate @v (@a) : !spirv.array<2 x i32>
}

// -----

spirv.module Logical GLSL450 {
  spirv.SpecConstant @a = 1 : i32
  // expected-error@+1 {{constituent has incorrect type: expected 'f32', but provided 'i32'}}
  spirv.EXT.SpecConstantCompositeReplicate @v (@a) : !spirv.array<2 x f32>
}

// -----

func.func @f() {
  // expected-error@+1 {{invalid enclosed op}}
  %0 = spirv.SpecConstantOperation wraps "spirv.Undef"() : () -> i32
  return
}

// -----

func.func @f() {
  %c = spirv.Undef : i32
  // expected-error@+1 {{invalid operand, must be defined by a constant operation}}
  %0 = spirv.SpecConstantOperation wraps "spirv.Not"(%c) : (i32) -> i32
  return
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{with physical buffer pointer must be decorated either 'Aliased' or 'Restrict'}}
  spirv.func @f(%p: !spirv.ptr<f32, PhysicalStorageBuffer>) "None" {
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{with a pointer points to a physical buffer pointer must be decorated either 'AliasedPointer' or 'RestrictPointer'}}
  spirv.func @f(%p: !spirv.ptr<!spirv.ptr<f32, PhysicalStorageBuffer>, Function>) "None" {
    spirv.Return
  }
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{'spirv.SpecConstantOperation' op expected exactly 2 nested ops}}
  %r = "spirv.SpecConstantOperation"() ({
    %c = spirv.Constant 1 : i32
    %d = spirv.Constant 1 : i32
    "spirv.mlir.yield"(%c) : (i32) -> ()
  }) : () -> i32
  return
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{custom op 'spirv.SpecConstant' invalid kind of attribute specified}}
  spirv.SpecConstant @a spec_id("b") = 5 : i32
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
    spirv.Return
  }
  // expected-error@+1 {{custom op 'spirv.EntryPoint' invalid kind of attribute specified}}
  spirv.EntryPoint "GLCompute" "f"
}

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{'spirv.func' op cannot have more than one result}}
  spirv.func @f() -> (i32, i32) "None"
}

// -----

// expected-error@+1 {{'spirv.module' op Operations with a 'SymbolTable' must have exactly one block}}
"spirv.module"() ({}) {addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>} : () -> ()

// -----

spirv.module Logical GLSL450 {
  // expected-error@+1 {{'spirv.decoration' must be a spirv::DecorationAttr}}
  spirv.func @f(%a: i32 {spirv.decoration = "Aliased"}) "None" {
    spirv.Return
  }
}

// -----

spirv.func @f() "None" {
  // expected-error@+1 {{'spirv.SpecConstantOperation' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "spirv.SpecConstantOperation"() ({}) : () -> i32
  spirv.Return
}

// -----

// expected-error@+1 {{'spirv.ARM.Graph' op there should be at least one result}}
spirv.ARM.Graph @nothing_comes_out(!spirv.arm.tensor<2xi8>)

// -----

// expected-error@+1 {{'spirv.ARM.Graph' op type of argument #1 must be a TensorArmType, but got 'i8'}}
spirv.ARM.Graph @number_in(!spirv.arm.tensor<2xi8>, i8) -> i8

// -----

// expected-error@+1 {{'spirv.ARM.Graph' op type of result #0 must be a TensorArmType, but got 'i8'}}
spirv.ARM.Graph @number_out(!spirv.arm.tensor<2xi8>) -> i8

// -----

// expected-error@+1 {{'spirv.ARM.Graph' op results may only have dialect attributes}}
spirv.ARM.Graph @plain_name(!spirv.arm.tensor<2xi8>) -> (!spirv.arm.tensor<2xi8> {note})

// -----

func.func @f() {
  // expected-error@+1 {{'spirv.ARM.Graph' op failed to verify that op must appear in a module-like op's block}}
  spirv.ARM.Graph @inner() -> !spirv.arm.tensor<2xi8>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'spirv.ARM.GraphEntryPoint' op failed to verify that op must appear in a module-like op's block}}
  spirv.ARM.GraphEntryPoint @f
  return
}

// -----

// expected-error@+1 {{custom op 'spirv.ARM.GraphEntryPoint' invalid kind of attribute specified}}
spirv.ARM.GraphEntryPoint @f, "in"

// -----

spirv.ARM.Graph @too_few(%in: !spirv.arm.tensor<2xi8>) -> (!spirv.arm.tensor<2xi8>, !spirv.arm.tensor<2xi8>) {
  // expected-error@+1 {{'spirv.ARM.GraphOutputs' op is returning 1 value(s) but enclosing spirv.ARM.Graph requires 2 result(s)}}
  spirv.ARM.GraphOutputs %in : !spirv.arm.tensor<2xi8>
}

// -----

spirv.ARM.Graph @another_type(%in: !spirv.arm.tensor<2xi8>) -> !spirv.arm.tensor<4xi8> {
  // expected-error@+1 {{type of return operand 0 ('!spirv.arm.tensor<2xi8>') doesn't match graph result type ('!spirv.arm.tensor<4xi8>')}}
  spirv.ARM.GraphOutputs %in : !spirv.arm.tensor<2xi8>
}

// -----

// expected-error@+1 {{'spirv.func' op arguments may only have dialect attributes}}
spirv.func @plain_name(i32 {note}) "None"

// -----

// expected-error@+1 {{'spirv.func' op expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0}}
"spirv.func"() <{function_control = #spirv.function_control<None>, function_type = () -> (), res_attrs = [{}], sym_name = "f"}> ({}) : () -> ()
