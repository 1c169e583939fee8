// 2,048 threads of a workgroup are more than software drivers take: the launch runs on the host.
//
// test: run --arg=zeros --arg=zeros
// expect: arg 1 = [0, 1, 2047]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<2048xi32>) kernel attributes {known_block_size = array<i32: 2048, 1, 1>} {
      %t = gpu.thread_id x
      %v = arith.index_cast %t : index to i32
      memref.store %v, %x[%t] : memref<2048xi32>
      gpu.return
    }
  }
  func.func @main(%x: memref<2048xi32>, %seen: memref<3xi32>) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 2048 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%x : memref<2048xi32>)
    %a = affine.load %x[0] : memref<2048xi32>
    affine.store %a, %seen[0] : memref<3xi32>
    %b = affine.load %x[1] : memref<2048xi32>
    affine.store %b, %seen[1] : memref<3xi32>
    %c = affine.load %x[2047] : memref<2048xi32>
    affine.store %c, %seen[2] : memref<3xi32>
    return
  }
}
