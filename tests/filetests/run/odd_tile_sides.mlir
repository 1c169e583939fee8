// A convolution whose last dimension, 67, leaves every third lane of a CPU driver idle with tiles of
// 8: threads take tiles of 3 along it there. With ones everywhere an element is the number of
// products, 2 * 2 * 8.
//
// test: run --arg=ones --arg=ones --arg=zeros --arg=zeros
// expect: arg 3 = [32, 32, 32]
func.func @conv(%x: memref<15x16x8xf32>, %w: memref<2x2x8x67xf32>, %y: memref<14x15x67xf32>, %some: memref<3xf32>) {
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to 15 {
      affine.for %f = 0 to 67 {
        affine.for %r = 0 to 2 {
          affine.for %s = 0 to 2 {
            affine.for %c = 0 to 8 {
              %a = affine.load %x[%i + %r, %j + %s, %c] : memref<15x16x8xf32>
              %b = affine.load %w[%r, %s, %c, %f] : memref<2x2x8x67xf32>
              %o = affine.load %y[%i, %j, %f] : memref<14x15x67xf32>
              %p = arith.mulf %a, %b : f32
              %q = arith.addf %o, %p : f32
              affine.store %q, %y[%i, %j, %f] : memref<14x15x67xf32>
            }
          }
        }
      }
    }
  }
  affine.for %k = 0 to 3 {
    %v = affine.load %y[%k * 6, %k * 7, %k * 33] : memref<14x15x67xf32>
    affine.store %v, %some[%k] : memref<3xf32>
  }
  return
}
