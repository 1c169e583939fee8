// test: error translate --serialize-spirv
// error: 5:10: 'colour' is no decoration of SPIR-V
spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [Shader], []> {
  spirv.func @f(%x: f32) -> f32 "None" {
    %y = spirv.FAdd %x, %x {colour} : f32
    spirv.ReturnValue %y : f32
  }
}
