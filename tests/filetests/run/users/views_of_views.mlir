// Expanded, collapsed and cut views of one buffer, the first of which is changed afterwards.
// test: run --arg=iota --arg=zeros
// expect: arg 0 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46]
// expect: arg 1 = [2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 14, 15, 16, 17, 18, 19, 19, 18, 17, 16, 15, 14]
func.func @views_of_views(%a: memref<24xf32>, %o: memref<4x6xf32>) {
  %c4 = arith.constant 4 : index
  %e = memref.expand_shape %a [[0,1,2]] output_shape [2,3,4] : memref<24xf32> into memref<2x3x4xf32>
  %c = memref.collapse_shape %e [[0],[1,2]] : memref<2x3x4xf32> into memref<2x12xf32>
  %s = memref.subview %c[0,2][2,6][1,1] : memref<2x12xf32> to memref<2x6xf32, strided<[12,1], offset: 2>>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 6 {
      %v = affine.load %s[%i, %j] : memref<2x6xf32, strided<[12,1], offset: 2>>
      affine.store %v, %o[%i*2,%j] : memref<4x6xf32>
      affine.store %v, %o[%i*2+1,5-%j] : memref<4x6xf32>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 4 {
        %v = affine.load %e[%i, %j,%k] : memref<2x3x4xf32>
        %w = arith.addf %v, %v : f32
        affine.store %w, %e[%i, %j,%k] : memref<2x3x4xf32>
      }
    }
  }
  return
}
