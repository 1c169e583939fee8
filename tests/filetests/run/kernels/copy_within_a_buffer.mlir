// Source and target overlap: the copy moves 0, 1, 2 to places 1, 2, 3 as if at once. A kernel would
// read what it has written, so the launch runs on the host.
//
// test: run --arg=iota
// expect: arg 0 = [0, 0, 1, 2]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%from: memref<3xi32, strided<[1], offset: ?>>, %to: memref<3xi32, strided<[1], offset: ?>>) kernel {
      memref.copy %from, %to : memref<3xi32, strided<[1], offset: ?>> to memref<3xi32, strided<[1], offset: ?>>
      gpu.return
    }
  }
  func.func @main(%x: memref<4xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %from = memref.subview %x[%c0] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: ?>>
    %to = memref.subview %x[%c1] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: ?>>
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%from : memref<3xi32, strided<[1], offset: ?>>, %to : memref<3xi32, strided<[1], offset: ?>>)
    return
  }
}
