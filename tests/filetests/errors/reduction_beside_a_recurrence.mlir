// A reduction whose loops stay on the host because iterations depend on each other through memory: the remark says so, and
// nothing of a short reduction.
//
// test: error compile --remarks
// exit: 0
// remark: 10:8: this loop nest runs on the host: its iterations are ordered by a flow dependence of distance 1
// remark: 11:10: this loop nest runs on the host: its iterations are ordered by a flow dependence of distance 1
func.func @score(%h: memref<9x9xi32>, %a: memref<9x9xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 1 to 9 iter_args(%b = %zero) -> (i32) {
    %s = affine.for %j = 1 to 9 iter_args(%c = %b) -> (i32) {
      %u = affine.load %h[%i - 1, %j] : memref<9x9xi32>
      %l = affine.load %h[%i, %j - 1] : memref<9x9xi32>
      %m = arith.maxsi %u, %l : i32
      %v = affine.load %a[%i, %j] : memref<9x9xi32>
      %n = arith.addi %m, %v : i32
      affine.store %n, %h[%i, %j] : memref<9x9xi32>
      %d = arith.maxsi %c, %n : i32
      affine.yield %d : i32
    }
    affine.yield %s : i32
  }
  return %r : i32
}
