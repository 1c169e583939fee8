// C = A + B transposed, 2048 by 2048.
func.func @transpose_add(%a: memref<2048x2048xf32>, %b: memref<2048x2048xf32>, %c: memref<2048x2048xf32>) {
  affine.for %i = 0 to 2048 {
    affine.for %j = 0 to 2048 {
      %0 = affine.load %a[%i, %j] : memref<2048x2048xf32>
      %1 = affine.load %b[%j, %i] : memref<2048x2048xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %c[%i, %j] : memref<2048x2048xf32>
    }
  }
  return
}
