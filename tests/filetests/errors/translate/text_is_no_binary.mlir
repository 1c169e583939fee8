// test: error translate --deserialize-spirv
// error: not a SPIR-V module
module {
}
