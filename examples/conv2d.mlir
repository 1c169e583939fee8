// conv2d: a 3 × 3 filter over an image, with zeros assumed outside the image.
//
//     out[i, j] = sum over p, q in 0..3 of  filter[p, q] * image[i + p - 1, j + q - 1]
//     for 0 <= i < 96, 0 <= j < 128; terms outside the image count as 0.
//
// Arguments: image (96 × 128 × f32, read), filter (3 × 3 × f32, read),
// out (96 × 128 × f32, written).
// The border is handled by an `affine.if` around the load, so no access ever
// leaves the image; i and j are parallel, p and q run inside each thread.
//
// Run:  gridloom run examples/conv2d.mlir --arg random:1 --arg random:2 --arg zeros

// Whether tap (d2, d3) of the filter laid on pixel (d0, d1) hits the image.
#inside = affine_set<(d0, d1, d2, d3) : (d0 + d2 - 1 >= 0, 96 - d0 - d2 >= 0,
                                         d1 + d3 - 1 >= 0, 128 - d1 - d3 >= 0)>

func.func @conv2d(%image: memref<96x128xf32>, %filter: memref<3x3xf32>, %out: memref<96x128xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 96 {
    affine.for %j = 0 to 128 {
      %pixel = affine.for %p = 0 to 3 iter_args(%rows = %zero) -> (f32) {
        %row = affine.for %q = 0 to 3 iter_args(%partial = %rows) -> (f32) {
          %tap = affine.if #inside(%i, %j, %p, %q) -> f32 {
            %value = affine.load %image[%i + %p - 1, %j + %q - 1] : memref<96x128xf32>
            affine.yield %value : f32
          } else {
            affine.yield %zero : f32
          }
          %weight = affine.load %filter[%p, %q] : memref<3x3xf32>
          %product = arith.mulf %weight, %tap : f32
          %sum = arith.addf %partial, %product : f32
          affine.yield %sum : f32
        }
        affine.yield %row : f32
      }
      affine.store %pixel, %out[%i, %j] : memref<96x128xf32>
    }
  }
  return
}
