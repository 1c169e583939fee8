// test: error translate --serialize-spirv
// error: 5:3: 'mlir-opt --spirv-lower-abi-attrs' does that
spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [Shader], []> {
  // The interface is still an attribute of the argument.
  spirv.func @f(%x: f32 {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0), StorageBuffer>}) "None"
      attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [1, 1, 1]>} {
    spirv.Return
  }
}
