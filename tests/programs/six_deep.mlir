// Six loops: a batched convolution with two channel loops, sums in memory.
//     out[n, k, y, x] += image[n, c, y + r, x] * filter[k, c, r]
//     for 0 <= n < 2, 0 <= k < 3, 0 <= y < 5, 0 <= x < 7, 0 <= c < 4, 0 <= r < 3

func.func @six_deep(%image: memref<2x4x7x7xf32>, %filter: memref<3x4x3xf32>, %out: memref<2x3x5x7xf32>) {
  affine.for %n = 0 to 2 {
    affine.for %k = 0 to 3 {
      affine.for %y = 0 to 5 {
        affine.for %x = 0 to 7 {
          affine.for %c = 0 to 4 {
            affine.for %r = 0 to 3 {
              %v = affine.load %image[%n, %c, %y + %r, %x] : memref<2x4x7x7xf32>
              %w = affine.load %filter[%k, %c, %r] : memref<3x4x3xf32>
              %o = affine.load %out[%n, %k, %y, %x] : memref<2x3x5x7xf32>
              %p = arith.mulf %v, %w : f32
              %s = arith.addf %o, %p : f32
              affine.store %s, %out[%n, %k, %y, %x] : memref<2x3x5x7xf32>
            }
          }
        }
      }
    }
  }
  return
}
