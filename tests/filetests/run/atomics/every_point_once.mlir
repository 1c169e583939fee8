// Each point of a parallel nest updates once, whatever the sizes: a nest with updates is not cut into
// tiles that jut out. Element 0 counts 37 * 13 points, element 1 adds up their i, 13 * (0 + ... + 36).
// test: run --arg=zeros
// expect: arg 0 = [481, 8658]
func.func @points(%counts: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 37 {
    affine.for %j = 0 to 13 {
      %w = arith.index_cast %i : index to i32
      %a = memref.atomic_rmw addi %one, %counts[%c0] : (i32, memref<2xi32>) -> i32
      %b = memref.atomic_rmw addi %w, %counts[%c1] : (i32, memref<2xi32>) -> i32
    }
  }
  return
}
