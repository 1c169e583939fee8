// A use of what the outer loop carries sees the value from before the inner loop, which the element no longer holds then: only the
// outer loop carries its value in memory, if any.
// test: opt --affine-scalar-demotion
// test: run-opt --arg=iota --arg=ones
// expect: arg 1 = [1, 12, 174, 2612]
// test: run --arg=iota --arg=ones

// The expected values are those of a Python loop.
func.func @mixed(%a: memref<3x2x3xi32>, %o: memref<4xi32>) {
  affine.for %g = 0 to 3 {
    %c = affine.load %o[%g] : memref<4xi32>
    %r = affine.for %i = 0 to 2 iter_args(%s = %c) -> i32 {
      %q = affine.for %j = 0 to 3 iter_args(%t = %s) -> i32 {
        %v = affine.load %a[%g, %i, %j] : memref<3x2x3xi32>
        %w = arith.xori %s, %v : i32
        %x = arith.addi %t, %w : i32
        affine.yield %x : i32
      }
      affine.yield %q : i32
    }
    affine.store %r, %o[%g + 1] : memref<4xi32>
  }
  return
}
