// What fails in a kernel that asserts is told with its place.
//
// test: error run --device=llvmpipe --arg=zeros
// error: 12:7: assertion failed: only 2 threads may come
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<4xi32>) kernel {
      %t = gpu.thread_id x
      %c2 = arith.constant 2 : index
      %v = arith.index_cast %t : index to i32
      %c = arith.cmpi slt, %t, %c2 : index
      cf.assert %c, "only 2 threads may come"
      memref.store %v, %x[%t] : memref<4xi32>
      gpu.return
    }
  }
  func.func @main(%x: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%x : memref<4xi32>)
    return
  }
}
