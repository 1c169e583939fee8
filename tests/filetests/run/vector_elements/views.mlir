// Views of memory of vectors: every second vector, the last two of four, by strides of their own, and
// turned. Vectors of two dimensions and of a layout that says nothing of its offset.
//
// The vectors are (0, 1), (2, 3), (4, 5), (6, 7); offset 1 with stride 2 takes the second and the
// fourth; the reinterpreted ones start at the third.
//
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [2, 3, 6, 7, 4, 5, 6, 7]
// expect: arg 2 = [0, 1, 4, 5, 2, 3, 6, 7]
func.func @views(%a: memref<4xvector<2xi32>>, %out: memref<4xvector<2xi32>>,
                 %turned: memref<2x2xvector<2xi32>>) {
  %odd = memref.subview %a[1] [2] [2]
    : memref<4xvector<2xi32>> to memref<2xvector<2xi32>, strided<[2], offset: 1>>
  %c2 = arith.constant 2 : index
  %last = memref.reinterpret_cast %a to offset: [%c2], sizes: [2], strides: [1]
    : memref<4xvector<2xi32>> to memref<2xvector<2xi32>, strided<[1], offset: ?>>
  affine.for %i = 0 to 2 {
    %v = affine.load %odd[%i] : memref<2xvector<2xi32>, strided<[2], offset: 1>>
    affine.store %v, %out[%i] : memref<4xvector<2xi32>>
    %w = affine.load %last[%i] : memref<2xvector<2xi32>, strided<[1], offset: ?>>
    affine.store %w, %out[%i + 2] : memref<4xvector<2xi32>>
  }
  %square = memref.expand_shape %a [[0, 1]] output_shape [2, 2]
    : memref<4xvector<2xi32>> into memref<2x2xvector<2xi32>>
  %t = memref.transpose %square (i, j) -> (j, i)
    : memref<2x2xvector<2xi32>> to memref<2x2xvector<2xi32>, strided<[1, 2]>>
  memref.copy %t, %turned
    : memref<2x2xvector<2xi32>, strided<[1, 2]>> to memref<2x2xvector<2xi32>>
  return
}
