// y += A x of a 4096 by 4096 matrix.
func.func @matvec(%a: memref<4096x4096xf32>, %x: memref<4096xf32>, %y: memref<4096xf32>) {
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 4096 {
      %0 = affine.load %a[%i, %j] : memref<4096x4096xf32>
      %1 = affine.load %x[%j] : memref<4096xf32>
      %2 = affine.load %y[%i] : memref<4096xf32>
      %3 = arith.mulf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      affine.store %4, %y[%i] : memref<4096xf32>
    }
  }
  return
}
