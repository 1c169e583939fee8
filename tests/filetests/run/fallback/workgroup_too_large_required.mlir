// What keeps a launch off the device is an error where the device is required.
//
// test: error run --device=llvmpipe --require-device
// error: 15:5: kernel 'k' cannot run on the device: kernel 'k': workgroup size along x asks for 2048
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<2048xi32>) kernel attributes {known_block_size = array<i32: 2048, 1, 1>} {
      %t = gpu.thread_id x
      gpu.return
    }
  }
  func.func @main(%x: memref<2048xi32>) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 2048 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%x : memref<2048xi32>)
    return
  }
}
