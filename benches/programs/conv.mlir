func.func @conv(%in: memref<1x58x58x64xf32>, %w: memref<3x3x64x64xf32>, %out: memref<1x56x56x64xf32>) {
  affine.for %n = 0 to 1 {
    affine.for %y = 0 to 56 {
      affine.for %x = 0 to 56 {
        affine.for %f = 0 to 64 {
          affine.for %r = 0 to 3 {
            affine.for %s = 0 to 3 {
              affine.for %c = 0 to 64 {
                %a = affine.load %in[%n, %y + %r, %x + %s, %c] : memref<1x58x58x64xf32>
                %b = affine.load %w[%r, %s, %c, %f] : memref<3x3x64x64xf32>
                %o = affine.load %out[%n, %y, %x, %f] : memref<1x56x56x64xf32>
                %p = arith.mulf %a, %b : f32
                %q = arith.addf %o, %p : f32
                affine.store %q, %out[%n, %y, %x, %f] : memref<1x56x56x64xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}
