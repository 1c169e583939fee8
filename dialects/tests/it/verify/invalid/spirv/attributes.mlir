// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Attributes that cannot be.

// expected-error@+1 {{unknown version: v9.0}}
"test.op"() {a = #spirv.vce<v9.0, [], []>} : () -> ()

// -----

// expected-error@+1 {{unknown capability: Juggling}}
"test.op"() {a = #spirv.vce<v1.0, [Juggling], []>} : () -> ()

// -----

// expected-error@+1 {{unknown extension: SPV_NOT}}
"test.op"() {a = #spirv.vce<v1.0, [], [SPV_NOT]>} : () -> ()

// -----

// expected-error@+1 {{missing descriptor set}}
"test.op"() {a = #spirv.interface_var_abi<(a, 1)>} : () -> ()

// -----

// expected-error@+1 {{missing binding}}
"test.op"() {a = #spirv.interface_var_abi<(0, a)>} : () -> ()

// -----

// expected-error@+1 {{unknown storage class: Nowhere}}
"test.op"() {a = #spirv.interface_var_abi<(0, 1), Nowhere>} : () -> ()

// -----

// expected-error@+1 {{duplicate or unknown struct parameter name: colour}}
"test.op"() {a = #spirv.entry_point_abi<colour = 1>} : () -> ()

// -----

// expected-error@+1 {{duplicate or unknown struct parameter name: target_width}}
"test.op"() {a = #spirv.entry_point_abi<target_width = 32, target_width = 32>} : () -> ()

// -----

// expected-error@+1 {{invalid kind of attribute specified}}
"test.op"() {a = #spirv.target_env<1, #spirv.resource_limits<>>} : () -> ()

// -----

// expected-error@+1 {{unknown SPIR-V attribute kind: colour}}
"test.op"() {a = #spirv.colour<red>} : () -> ()

// -----

// expected-error@+2 {{failed to parse SPIRV_EntryPointABIAttr parameter 'workgroup_size' which is to be a `DenseI32ArrayAttr`}}
// expected-error@+1 {{expected '['}}
func.func private @sizes() attributes {a = #spirv.entry_point_abi<workgroup_size = 8>}

// -----

// expected-error@+2 {{failed to parse SPIRV_CooperativeMatrixPropertiesKHRAttr parameter 'm_size' which is to be a `uint32_t`}}
// expected-error@+1 {{expected integer value}}
func.func private @rows() attributes {a = #spirv.coop_matrix_props_khr<m_size = "a">}

// -----

// expected-error@+2 {{failed to parse SPIRV_LinkageAttributesAttr parameter 'linkage_name' which is to be a `StringAttr`}}
// expected-error@+1 {{invalid kind of attribute specified}}
func.func private @name() attributes {a = #spirv.linkage_attributes<linkage_name = 3, linkage_type = <Import>>}
