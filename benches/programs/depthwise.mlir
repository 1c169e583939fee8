// Convolution of each channel with a window of its own, NHWC, 56 by 56 by 128, 3 by 3.
func.func @depthwise(%in: memref<1x58x58x128xf32>, %w: memref<3x3x128xf32>, %out: memref<1x56x56x128xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %n = 0 to 1 {
    affine.for %y = 0 to 56 {
      affine.for %x = 0 to 56 {
        affine.for %c = 0 to 128 {
          %s = affine.for %r = 0 to 3 iter_args(%s0 = %zero) -> (f32) {
            %s1 = affine.for %t = 0 to 3 iter_args(%s2 = %s0) -> (f32) {
              %a = affine.load %in[%n, %y + %r, %x + %t, %c] : memref<1x58x58x128xf32>
              %b = affine.load %w[%r, %t, %c] : memref<3x3x128xf32>
              %p = arith.mulf %a, %b : f32
              %q = arith.addf %s2, %p : f32
              affine.yield %q : f32
            }
            affine.yield %s1 : f32
          }
          affine.store %s, %out[%n, %y, %x, %c] : memref<1x56x56x128xf32>
        }
      }
    }
  }
  return
}
