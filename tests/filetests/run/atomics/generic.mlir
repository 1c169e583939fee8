// memref.generic_atomic_rmw: a saturating count, whose last value is 10 in any order, and a float sum
// of squares. The results that the iterations get back are values that were stored: of
// the count, 1 to 10 and then 10 as often as it has saturated, together 55 + 6 * 10.
// test: run --arg=zeros --arg=zeros --arg=zeros
// expect: arg 0 = [10]
// expect: arg 1 = [1240]
// expect: arg 2 = [115]
func.func @generic(%count: memref<1xi32>, %sum: memref<1xf32>, %seen: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  affine.parallel (%i) = (0) to (16) {
    %one = arith.constant 1 : i32
    %most = arith.constant 10 : i32
    %stored = memref.generic_atomic_rmw %count[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %more = arith.addi %old, %one : i32
      %new = arith.minsi %more, %most : i32
      memref.atomic_yield %new : i32
    }
    %w = arith.index_cast %i : index to i32
    %v = arith.sitofp %w : i32 to f32
    %square = memref.generic_atomic_rmw %sum[%c0] : memref<1xf32> {
    ^bb0(%old: f32):
      %x = arith.mulf %v, %v : f32
      %new = arith.addf %old, %x : f32
      memref.atomic_yield %new : f32
    }
    %r = memref.atomic_rmw addi %stored, %seen[%c0] : (i32, memref<1xi32>) -> i32
  }
  return
}
