// A nest somebody has tiled by hand: `min` upper bounds, a step of the tile size.
//     out[i, j] = 2 * a[i, j]          for 0 <= i < 50, 0 <= j < 45, in tiles of 16 × 8

#last_row = affine_map<(d0) -> (d0 + 16, 50)>
#last_column = affine_map<(d0) -> (d0 + 8, 45)>

func.func @tiled_bounds(%a: memref<50x45xf32>, %out: memref<50x45xf32>) {
  affine.for %ii = 0 to 50 step 16 {
    affine.for %jj = 0 to 45 step 8 {
      affine.for %i = affine_map<(d0) -> (d0)>(%ii) to min #last_row(%ii) {
        affine.for %j = affine_map<(d0) -> (d0)>(%jj) to min #last_column(%jj) {
          %x = affine.load %a[%i, %j] : memref<50x45xf32>
          %y = arith.addf %x, %x : f32
          affine.store %y, %out[%i, %j] : memref<50x45xf32>
        }
      }
    }
  }
  return
}
