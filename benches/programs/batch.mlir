func.func @batch(%a: memref<8x256x256xf32>, %b: memref<8x256x256xf32>, %c: memref<8x256x256xf32>) {
  affine.for %n = 0 to 8 {
    affine.for %i = 0 to 256 {
      affine.for %j = 0 to 256 {
        affine.for %k = 0 to 256 {
          %x = affine.load %a[%n, %i, %k] : memref<8x256x256xf32>
          %y = affine.load %b[%n, %j, %k] : memref<8x256x256xf32>
          %z = affine.load %c[%n, %i, %j] : memref<8x256x256xf32>
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %z, %p : f32
          affine.store %s, %c[%n, %i, %j] : memref<8x256x256xf32>
        }
      }
    }
  }
  return
}
