// The inner loop carries a sum and stays in a thread; the outer one is parallel.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [[0, 1, 3], [3, 7, 12]]
func.func @f(%x: memref<2x3xf32>, %y: memref<2x3xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 iter_args(%before = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<2x3xf32>
      %sum = arith.addf %before, %v : f32
      affine.store %sum, %y[%i, %j] : memref<2x3xf32>
      affine.yield %sum : f32
    }
  }
  return
}
