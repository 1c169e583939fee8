// test: explain --fp=strict

// Strict floats keep the order of a sum; integers may be regrouped.
func.func @sums(%a: memref<512xf32>, %b: memref<512xi32>) -> (f32, i32) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %r = affine.for %i = 0 to 512 iter_args(%sum = %zero) -> f32 {
    %x = affine.load %a[%i] : memref<512xf32>
    %u = arith.addf %sum, %x : f32
    affine.yield %u : f32
  }
  %s = affine.for %i = 0 to 512 iter_args(%sum = %none) -> i32 {
    %x = affine.load %b[%i] : memref<512xi32>
    %u = arith.addi %sum, %x : i32
    affine.yield %u : i32
  }
  return %r, %s : f32, i32
}
