// A convolution of channels with channels, NCHW, of sizes that the arguments tell.
func.func @conv_open(%in: memref<?x?x?xf32>, %w: memref<?x?x?x?xf32>, %out: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %channels = memref.dim %w, %c1 : memref<?x?x?x?xf32>
  %height = memref.dim %w, %c2 : memref<?x?x?x?xf32>
  %width = memref.dim %w, %c3 : memref<?x?x?x?xf32>
  %features = memref.dim %out, %c0 : memref<?x?x?xf32>
  %rows = memref.dim %out, %c1 : memref<?x?x?xf32>
  %columns = memref.dim %out, %c2 : memref<?x?x?xf32>
  affine.for %f = 0 to %features {
    affine.for %y = 0 to %rows {
      affine.for %x = 0 to %columns {
        affine.for %c = 0 to %channels {
          affine.for %r = 0 to %height {
            affine.for %s = 0 to %width {
              %a = affine.load %in[%c, %y + %r, %x + %s] : memref<?x?x?xf32>
              %b = affine.load %w[%f, %c, %r, %s] : memref<?x?x?x?xf32>
              %o = affine.load %out[%f, %y, %x] : memref<?x?x?xf32>
              %p = arith.mulf %a, %b : f32
              %q = arith.addf %o, %p : f32
              affine.store %q, %out[%f, %y, %x] : memref<?x?x?xf32>
            }
          }
        }
      }
    }
  }
  return
}
