// test: error translate --serialize-spirv
// error: 3:1: says no version
spirv.module Logical GLSL450 {
}
