// A kernel without `known_block_size` is compiled for the constant sizes of its launch.
//
// test: spirv
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<8xi32>) kernel {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %n = gpu.block_dim x
      %o = arith.muli %b, %n : index
      %i = arith.addi %o, %t : index
      %v = arith.index_cast %n : index to i32
      memref.store %v, %x[%i] : memref<8xi32>
      gpu.return
    }
  }
  func.func @main(%x: memref<8xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@k blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1) args(%x : memref<8xi32>)
    return
  }
}
