// test: error run --device=llvmpipe --fp=strict --portable
// exit: 3
// error: strict floats need a Vulkan driver that gets SPIR-V directly
func.func @f(%x: memref<4xf32>) {
  return
}
