// A view put together again from base, offset, sizes and strides.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [10, 11, 12, 13, 26, 27, 28, 29, 42, 43, 44, 45]
func.func @metadata_of_a_view(%a: memref<6x8xf32>, %o: memref<12xf32>) {
  %sv = memref.subview %a[1,2][3,4][2,1] : memref<6x8xf32> to memref<3x4xf32, strided<[16,1], offset: 10>>
  %base, %off, %sz:2, %st:2 = memref.extract_strided_metadata %sv : memref<3x4xf32, strided<[16,1], offset: 10>> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %base to offset: [%off], sizes: [%sz#0,%sz#1], strides: [%st#0,%st#1] : memref<f32> to memref<?x?xf32, strided<[?,?], offset: ?>>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %v = affine.load %r[%i, %j] : memref<?x?xf32, strided<[?,?], offset: ?>>
      affine.store %v, %o[%i*4+%j] : memref<12xf32>
    }
  }
  return
}
