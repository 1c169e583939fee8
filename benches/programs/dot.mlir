// The inner product of two vectors of 16 Mi elements.
func.func @dot(%x: memref<16777216xf32>, %y: memref<16777216xf32>, %s: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 16777216 iter_args(%a = %zero) -> (f32) {
    %v = affine.load %x[%i] : memref<16777216xf32>
    %w = affine.load %y[%i] : memref<16777216xf32>
    %p = arith.mulf %v, %w : f32
    %n = arith.addf %a, %p : f32
    affine.yield %n : f32
  }
  affine.store %sum, %s[0] : memref<1xf32>
  return
}
