// test: error run --device=llvmpipe --fp=strict --portable
// exit: 3
// error: strict floats need a Vulkan driver that is given SPIR-V as it is
func.func @f(%x: memref<4xf32>) {
  return
}
