// A function of open sizes and strides is given a row of every third element.
// test: run --arg=iota --arg=iota
// expect: arg 0 = [2, 6, 10, 14, 18, 22, 26, 30, 34, 11, 15, 19, 23, 27, 31, 35, 39, 43, 20, 24, 28, 32, 36, 40, 44, 48, 52, 29, 33, 37, 41, 45, 49, 53, 57, 61, 38, 42, 46, 50, 54, 58, 62, 66, 70, 47, 51, 55, 59, 63, 67, 71, 75, 79, 56, 60, 64, 68, 72, 76, 80, 84, 88]
func.func private @g(%a: memref<?x?xf32>, %b: memref<?xf32, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf32>
      %w = affine.load %b[%j] : memref<?xf32, strided<[?], offset: ?>>
      %s = arith.addf %v, %w : f32
      affine.store %s, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
func.func @rows_of_open_stride(%a: memref<7x9xf32>, %b: memref<30xf32>) {
  %ac = memref.cast %a : memref<7x9xf32> to memref<?x?xf32>
  %sv = memref.subview %b[2][9][3] : memref<30xf32> to memref<9xf32, strided<[3], offset: 2>>
  %bc = memref.cast %sv : memref<9xf32, strided<[3], offset: 2>> to memref<?xf32, strided<[?], offset: ?>>
  func.call @g(%ac, %bc) : (memref<?x?xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
  return
}
