// Kernels without `known_block_size` take the sizes of their launches, which may differ; one is known only when it runs.
//     x[thread] = threads of a workgroup
//
// test: run --arg=zeros --arg=zeros --arg=zeros --arg=5
// expect: arg 0 = [4, 4, 4, 4, 4, 4, 4, 4]
// expect: arg 1 = [2, 2, 2, 2, 2, 2, 2, 2]
// expect: arg 2 = [5, 5, 5, 5, 5, 0, 0, 0]
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
  func.func @main(%x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@k blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1) args(%x : memref<8xi32>)
    gpu.launch_func @m::@k blocks in (%c4, %c1, %c1) threads in (%c2, %c1, %c1) args(%y : memref<8xi32>)
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%z : memref<8xi32>)
    return
  }
}
