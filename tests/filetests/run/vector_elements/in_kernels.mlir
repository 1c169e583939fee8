// A kernel by hand over memory of vectors, and memory of a workgroup that holds them: each thread
// reads its neighbour's vector behind the barrier.
//
// Vectors (0, 1, 2, 3) to (12, 13, 14, 15), each moved one on, the last one to the front.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @rotate(%a: memref<4xvector<4xf32>>, %out: memref<4xvector<4xf32>>)
        workgroup(%shared: memref<4xvector<4xf32>, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %v = memref.load %a[%t] : memref<4xvector<4xf32>>
      memref.store %v, %shared[%t] : memref<4xvector<4xf32>, #gpu.address_space<workgroup>>
      gpu.barrier
      %next = arith.addi %t, %c1 : index
      %at = arith.remui %next, %c4 : index
      %w = memref.load %shared[%t] : memref<4xvector<4xf32>, #gpu.address_space<workgroup>>
      memref.store %w, %out[%at] : memref<4xvector<4xf32>>
      gpu.return
    }
  }
  func.func @rotate(%a: memref<4xvector<4xf32>>, %out: memref<4xvector<4xf32>>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @kernels::@rotate blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%a : memref<4xvector<4xf32>>, %out : memref<4xvector<4xf32>>)
    return
  }
}
