// A kernel calls functions of its gpu.module, one through the other: thread i squares i and adds 1.
//
// test: run --arg=zeros
// expect: arg 0 = [1, 2, 5, 10]
module attributes {gpu.container_module} {
  gpu.module @m {
    func.func private @square(%x: i32) -> i32 {
      %y = arith.muli %x, %x : i32
      return %y : i32
    }
    func.func private @next_square(%x: i32) -> i32 {
      %one = arith.constant 1 : i32
      %y = func.call @square(%x) : (i32) -> i32
      %z = arith.addi %y, %one : i32
      return %z : i32
    }
    gpu.func @k(%x: memref<4xi32>) kernel {
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %v = func.call @next_square(%i) : (i32) -> i32
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
