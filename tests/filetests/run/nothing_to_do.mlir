// Loops without an iteration, and an array without an element: no launch, no error.
//
// test: run --arg=zeros --arg=ones
// expect: arg 0 = []
// expect: arg 1 = [1, 1, 1]
func.func @f(%none: memref<0xf32>, %some: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 0 {
    affine.store %zero, %none[%i] : memref<0xf32>
  }
  affine.for %i = 3 to 3 {
    affine.store %zero, %some[%i - 3] : memref<3xf32>
  }
  return
}
