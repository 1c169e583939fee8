// A matrix product with the sum in memory and its loop outermost: that loop
// carries the dependence, the two inner ones are parallel.
//     c[i, j] += a[i, k] * b[k, j]          for 0 <= k < 21, 0 <= i < 19, 0 <= j < 23

func.func @k_outermost(%a: memref<19x21xf32>, %b: memref<21x23xf32>, %c: memref<19x23xf32>) {
  affine.for %k = 0 to 21 {
    affine.for %i = 0 to 19 {
      affine.for %j = 0 to 23 {
        %aik = affine.load %a[%i, %k] : memref<19x21xf32>
        %bkj = affine.load %b[%k, %j] : memref<21x23xf32>
        %cij = affine.load %c[%i, %j] : memref<19x23xf32>
        %product = arith.mulf %aik, %bkj : f32
        %sum = arith.addf %cij, %product : f32
        affine.store %sum, %c[%i, %j] : memref<19x23xf32>
      }
    }
  }
  return
}
