// A kernel that prints runs on the host, where its text appears; the program goes on.
//
// test: run --arg=zeros
// expect: arg 0 = [0, 1]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<2xi32>) kernel {
      %t = gpu.thread_id x
      %v = arith.index_cast %t : index to i32
      %f = arith.sitofp %v : i32 to f32
      gpu.printf "thread %lld: %5.2f %d%%\n", %t, %f, %v : index, f32, i32
      memref.store %v, %x[%t] : memref<2xi32>
      gpu.return
    }
  }
  func.func @main(%x: memref<2xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1) args(%x : memref<2xi32>)
    return
  }
}
