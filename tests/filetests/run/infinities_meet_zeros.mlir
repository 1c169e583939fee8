// Relaxed floats round otherwise, but infinity times zero and zero by zero stay NaN: drivers that take `x * 0.0` or
// `x / 0.0` for 0.0 are asked not to, or do not see the constant.
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 2 = [nan, nan, nan, nan, nan, nan, nan, nan, nan, inf, inf, inf, nan, 0, 0, 0, nan, -inf, -inf, -inf]
func.func @quotients(%a: memref<4xf32>, %b: memref<4xf32>, %o: memref<5x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xf32>
    %y = affine.load %b[%i] : memref<4xf32>
    %infinity = arith.divf %x, %y : f32
    %product = arith.mulf %infinity, %zero : f32
    affine.store %product, %o[0, %i] : memref<5x4xf32>
    %sum = math.fma %infinity, %zero, %x : f32
    affine.store %sum, %o[1, %i] : memref<5x4xf32>
    %by_zero = arith.divf %x, %zero : f32
    affine.store %by_zero, %o[2, %i] : memref<5x4xf32>
    %of_zero = arith.divf %zero, %x : f32
    affine.store %of_zero, %o[3, %i] : memref<5x4xf32>
    %by_minus = arith.divf %x, %minus : f32
    affine.store %by_minus, %o[4, %i] : memref<5x4xf32>
  }
  return
}
