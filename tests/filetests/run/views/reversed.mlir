// All rows and columns backwards, by a view with negative strides.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
func.func @f(%a: memref<12xf32>, %o: memref<3x4xf32>) {
  %r = memref.reinterpret_cast %a to offset: [11], sizes: [3, 4], strides: [-4, -1] : memref<12xf32> to memref<3x4xf32, strided<[-4, -1], offset: 11>>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %v = affine.load %r[%i, %j] : memref<3x4xf32, strided<[-4, -1], offset: 11>>
      affine.store %v, %o[%i, %j] : memref<3x4xf32>
    }
  }
  return
}
