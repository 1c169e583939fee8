// A launch that contradicts the block size which its kernel promises: analyses rely on that.
// test: error run --device=cpu --arg=zeros
// error: 15:5: kernel 'k' is compiled for workgroups of [1, 2, 1] threads and launched with [2, 1, 1]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<8xindex>) kernel attributes {known_block_size = array<i32: 1, 2, 1>} {
      %t = gpu.global_id x
      memref.store %t, %x[%t] : memref<8xindex>
      gpu.return
    }
  }
  func.func @main(%x: memref<8xindex>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1) args(%x : memref<8xindex>)
    return
  }
}
