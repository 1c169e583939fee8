// Sums and products with constant zeros, which drivers like to fold: 0.0 + x * -1.5 at x = 0 is 0.0, not -0.0 (whose
// reciprocal is -infinity), and x * 0.0 is NaN for infinities.
//
// test: run --arg=iota --arg=zeros --arg=zeros --fp=strict
// expect: arg 1 = [inf, -0.666666686534881591796875, -0.3333333432674407958984375]
// expect: arg 2 = [nan, -inf, -inf]
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
func.func @f(%x: memref<3xf32>, %sum: memref<3xf32>, %product: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %factor = arith.constant -1.5 : f32
  affine.for %i = 0 to 3 {
    %v = affine.load %x[%i] : memref<3xf32>
    %p = arith.mulf %v, %factor : f32
    %s = arith.addf %zero, %p : f32
    %r = arith.divf %one, %s : f32
    affine.store %r, %sum[%i] : memref<3xf32>
    // 1 / (x * -0.0) where 1 / 0 makes x infinite in the first element.
    %inverse = arith.divf %one, %v : f32
    %m = arith.constant -0.0 : f32
    %q = arith.mulf %inverse, %m : f32
    %t = arith.divf %one, %q : f32
    affine.store %t, %product[%i] : memref<3xf32>
  }
  return
}
