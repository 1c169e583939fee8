// One buffer seen as a 6 × 8 matrix and as its transpose at the same time.
//     m[j, i] = m[i, j]          for 0 <= i < 6, 0 <= j < i   (m has 8 columns)
// and the flat array is what is checked.

func.func @reinterpreted(%flat: memref<48xi32>) {
  %m = memref.reinterpret_cast %flat to offset: [0], sizes: [6, 8], strides: [8, 1]
      : memref<48xi32> to memref<6x8xi32, strided<[8, 1]>>
  %mt = memref.reinterpret_cast %flat to offset: [0], sizes: [8, 6], strides: [1, 8]
      : memref<48xi32> to memref<8x6xi32, strided<[1, 8]>>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %m[%i, %j] : memref<6x8xi32, strided<[8, 1]>>
      affine.store %x, %mt[%i, %j] : memref<8x6xi32, strided<[1, 8]>>
    }
  }
  return
}
