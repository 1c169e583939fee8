// Views of complex memory, through calls: subview, reinterpret_cast, collapse_shape, expand_shape,
// transpose, dim, rank, copy and cast. The argument is 0 to 15.
//
// The subview has the rows 1 and 3 and the columns 0 and 2: 4, 6, 12, 14, which are conjugated and
// turned by i: 4i, 6i and so on. The transposed view gets the element (3, 0) as (0, 3).
//
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 0 = [0, 0, 1, 0, 2, 0, 3, 0, 0, 4, 5, 0, 0, 6, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0, 0, 12, 13, 0, 0, 14, 15, 0]
// expect: arg 1 = [0, 12, 2, 0, 3, 0, 8, 0]
// expect: arg 2 = [4, 2, 16]
func.func private @turn(%v: memref<2x2xcomplex<f32>, strided<[8, 2], offset: 4>>) {
  %i = complex.constant [0.0 : f32, 1.0 : f32] : complex<f32>
  affine.for %x = 0 to 2 {
    affine.for %y = 0 to 2 {
      %z = affine.load %v[%x, %y] : memref<2x2xcomplex<f32>, strided<[8, 2], offset: 4>>
      %c = complex.conj %z : complex<f32>
      %w = complex.mul %c, %i : complex<f32>
      affine.store %w, %v[%x, %y] : memref<2x2xcomplex<f32>, strided<[8, 2], offset: 4>>
    }
  }
  return
}
func.func @views(%a: memref<4x4xcomplex<f32>>, %out: memref<4xcomplex<f32>>, %sizes: memref<3xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = memref.subview %a[1, 0] [2, 2] [2, 2]
    : memref<4x4xcomplex<f32>> to memref<2x2xcomplex<f32>, strided<[8, 2], offset: 4>>
  call @turn(%v) : (memref<2x2xcomplex<f32>, strided<[8, 2], offset: 4>>) -> ()
  %t = memref.transpose %a (i, j) -> (j, i)
    : memref<4x4xcomplex<f32>> to memref<4x4xcomplex<f32>, strided<[1, 4]>>
  %0 = memref.load %t[%c0, %c3] : memref<4x4xcomplex<f32>, strided<[1, 4]>>
  memref.store %0, %out[%c0] : memref<4xcomplex<f32>>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x4xcomplex<f32>> into memref<16xcomplex<f32>>
  %pair = memref.reinterpret_cast %flat to offset: [%c2], sizes: [2], strides: [%c1]
    : memref<16xcomplex<f32>> to memref<2xcomplex<f32>, strided<[?], offset: ?>>
  %middle = memref.subview %out[1] [2] [1]
    : memref<4xcomplex<f32>> to memref<2xcomplex<f32>, strided<[1], offset: 1>>
  memref.copy %pair, %middle
    : memref<2xcomplex<f32>, strided<[?], offset: ?>> to memref<2xcomplex<f32>, strided<[1], offset: 1>>
  %cube = memref.expand_shape %flat [[0, 1, 2]] output_shape [2, 2, 4]
    : memref<16xcomplex<f32>> into memref<2x2x4xcomplex<f32>>
  %3 = memref.load %cube[%c1, %c0, %c0] : memref<2x2x4xcomplex<f32>>
  memref.store %3, %out[%c3] : memref<4xcomplex<f32>>
  %open = memref.cast %a : memref<4x4xcomplex<f32>> to memref<?x4xcomplex<f32>>
  %rows = memref.dim %open, %c0 : memref<?x4xcomplex<f32>>
  %rank = memref.rank %a : memref<4x4xcomplex<f32>>
  %all = memref.dim %flat, %c0 : memref<16xcomplex<f32>>
  memref.store %rows, %sizes[%c0] : memref<3xindex>
  memref.store %rank, %sizes[%c1] : memref<3xindex>
  memref.store %all, %sizes[%c2] : memref<3xindex>
  return
}
