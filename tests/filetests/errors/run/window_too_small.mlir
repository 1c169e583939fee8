// Each thread of a column's sum goes through all rows of a buffer, of which a kernel sees an eighth: no part of
// the grid fits.
//
// test: error run --entry=columns --arg=iota --arg=zeros --binding-limit=8KiB --device=llvmpipe --require-device
// error: 9:3: and the launch cannot be split, because no part of its grid is proved to access less
// exit: 1
func.func @columns(%x: memref<128x128xf32>, %y: memref<128xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %j = 0 to 128 {
    %s = affine.for %i = 0 to 128 iter_args(%a = %zero) -> f32 {
      %v = affine.load %x[%i, %j] : memref<128x128xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %s, %y[%j] : memref<128xf32>
  }
  return
}
