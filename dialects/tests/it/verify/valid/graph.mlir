// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// test: roundtrip --allow-unregistered-dialect --split-input-file
// Graphs of tensors, which mlir-opt reads in custom form only.

spirv.module Logical Vulkan requires #spirv.vce<v1.0, [TensorsARM, GraphARM], [SPV_ARM_tensors, SPV_ARM_graph]> {
  spirv.GlobalVariable @in bind(0, 0) : !spirv.ptr<!spirv.arm.tensor<4x8xi8>, UniformConstant>
  spirv.ARM.GraphEntryPoint @weights, @in
  spirv.ARM.GraphEntryPoint @unbound
  spirv.ARM.Graph @weights(%in: !spirv.arm.tensor<4x8xi8> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>}) -> (!spirv.arm.tensor<4x8xi8>, !spirv.arm.tensor<2xf32> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 1)>}) attributes {entry_point = true, sym_visibility = "private", test.note = 1 : i64} {
    %0 = spirv.ARM.GraphConstant {graph_constant_id = 7 : i32} : !spirv.arm.tensor<2xf32>
    spirv.ARM.GraphOutputs %in, %0 : !spirv.arm.tensor<4x8xi8>, !spirv.arm.tensor<2xf32>
  }
  spirv.ARM.Graph @declared(!spirv.arm.tensor<?xi8>) -> !spirv.arm.tensor<?xi8>
}
