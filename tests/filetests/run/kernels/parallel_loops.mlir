// Each thread of a kernel runs parallel loops itself, reductions among them. Thread t of 4 sums
// x[t][0] + … + x[t][2] = 9 t + 3 into y[t][0], and the greatest, 3 t + 2, goes to y[t][1]; the forall
// stores 10 t + j behind them, over counters 2, 3.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [3, 2, 2, 3, 12, 5, 12, 13, 21, 8, 22, 23, 30, 11, 32, 33]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<4x3xi32>, %y: memref<4x4xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %ten = arith.constant 10 : i32
      %zero = arith.constant 0 : i32
      %least = arith.constant -100 : i32
      %t = gpu.thread_id x
      %r:2 = scf.parallel (%j) = (%c0) to (%c3) step (%c1) init (%zero, %least) -> (i32, i32) {
        %v = memref.load %x[%t, %j] : memref<4x3xi32>
        scf.reduce(%v, %v : i32, i32) {
        ^bb0(%l: i32, %n: i32):
          %s = arith.addi %l, %n : i32
          scf.reduce.return %s : i32
        }, {
        ^bb0(%l: i32, %n: i32):
          %s = arith.maxsi %l, %n : i32
          scf.reduce.return %s : i32
        }
      }
      memref.store %r#0, %y[%t, %c0] : memref<4x4xi32>
      memref.store %r#1, %y[%t, %c1] : memref<4x4xi32>
      scf.forall (%i, %j) = (0, 2) to (1, 4) step (1, 1) {
        %tt = arith.addi %t, %i : index
        %ti = arith.index_cast %tt : index to i32
        %ji = arith.index_cast %j : index to i32
        %tens = arith.muli %ti, %ten : i32
        %v = arith.addi %tens, %ji : i32
        memref.store %v, %y[%t, %j] : memref<4x4xi32>
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<4x3xi32>, %y: memref<4x4xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%x : memref<4x3xi32>, %y : memref<4x4xi32>)
    return
  }
}
