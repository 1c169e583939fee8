// test: error translate --serialize-spirv
// error: there are 2 spirv.modules, and a SPIR-V file is one: choose with --module ('a', 'b')
spirv.module @a Logical GLSL450 requires #spirv.vce<v1.0, [Shader], []> {
}
spirv.module @b Logical GLSL450 requires #spirv.vce<v1.0, [Shader], []> {
}
