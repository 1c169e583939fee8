// test: error run --sanitize=race --arg=iota
// error: 10:7: data race: thread (1, 0, 0) of workgroup (0, 0, 0) writes element [1] that thread (0, 0, 0) of workgroup (0, 0, 0) reads, and no barrier stands between the two
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reverse(%m: memref<2xi32>)
        workgroup(%w: memref<2xi32, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id x
      %c1 = arith.constant 1 : index
      %v = memref.load %m[%t] : memref<2xi32>
      memref.store %v, %w[%t] : memref<2xi32, #gpu.address_space<workgroup>>
      // Here a barrier is missing.
      %other = arith.subi %c1, %t : index
      %r = memref.load %w[%other] : memref<2xi32, #gpu.address_space<workgroup>>
      memref.store %r, %m[%t] : memref<2xi32>
      gpu.return
    }
  }
  func.func @main(%m: memref<2xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @kernels::@reverse blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
      args(%m : memref<2xi32>)
    return
  }
}
