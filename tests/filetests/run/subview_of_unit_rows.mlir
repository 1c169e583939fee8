// Of the two dimensions of size 1, the strides of the view say that the first one is dropped: 8 is that of the second
// one, 24 that of the first. The cast relies on it.
//
// test: run --arg=zeros
// expect: arg 0 = [0, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
func.func @main(%m: memref<2x3x4xi32>) {
  %seven = arith.constant 7 : i32
  %row = memref.subview %m[0, 0, 1] [1, 1, 3] [2, 2, 1]
      : memref<2x3x4xi32> to memref<1x3xi32, strided<[8, 1], offset: 1>>
  %open = memref.cast %row
      : memref<1x3xi32, strided<[8, 1], offset: 1>> to memref<?x?xi32, strided<[8, 1], offset: ?>>
  affine.for %i = 0 to 3 {
    affine.store %seven, %open[0, %i] : memref<?x?xi32, strided<[8, 1], offset: ?>>
  }
  return
}
