// A use of what the outer loop carries sees the value from before the inner loop, so that the two stay apart.
// test: opt --affine-collapse-dimensions
// test: run-opt --arg=iota --arg=zeros
// expect: result 0 = 277
// expect: arg 1 = [1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 16, 16, 67, 67, 67, 67, 67, 67, 154, 154, 154, 154, 154, 154]
// test: run --arg=iota --arg=zeros

// The expected values are those of a Python loop.
func.func @stored(%a: memref<4x6xi32>, %o: memref<4x6xi32>) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = affine.for %i = 0 to 4 iter_args(%s = %c1) -> i32 {
    %q = affine.for %j = 0 to 6 iter_args(%t = %s) -> i32 {
      %v = affine.load %a[%i, %j] : memref<4x6xi32>
      affine.store %s, %o[%i, %j] : memref<4x6xi32>
      %x = arith.addi %t, %v : i32
      affine.yield %x : i32
    }
    affine.yield %q : i32
  }
  return %r : i32
}
