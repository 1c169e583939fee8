// The greatest of each 2 by 2 elements, NHWC, 224 by 224 by 64.
func.func @max_pool(%in: memref<1x224x224x64xf32>, %out: memref<1x112x112x64xf32>) {
  %low = arith.constant 0xFF800000 : f32
  affine.for %n = 0 to 1 {
    affine.for %y = 0 to 112 {
      affine.for %x = 0 to 112 {
        affine.for %c = 0 to 64 {
          %m = affine.for %r = 0 to 2 iter_args(%m0 = %low) -> (f32) {
            %m1 = affine.for %t = 0 to 2 iter_args(%m2 = %m0) -> (f32) {
              %v = affine.load %in[%n, 2 * %y + %r, 2 * %x + %t, %c] : memref<1x224x224x64xf32>
              %g = arith.maximumf %m2, %v : f32
              affine.yield %g : f32
            }
            affine.yield %m1 : f32
          }
          affine.store %m, %out[%n, %y, %x, %c] : memref<1x112x112x64xf32>
        }
      }
    }
  }
  return
}
