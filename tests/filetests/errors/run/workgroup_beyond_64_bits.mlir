// test: error compile --emit=spirv
// error: 4:3: threads in a workgroup, and the target guarantees 4294967295 only
gpu.module @kernels {
  gpu.func @none(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 2147483647, 2147483647, 2147483647>} {
    gpu.return
  }
}
