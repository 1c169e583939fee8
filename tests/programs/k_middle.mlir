// The order i, k, j of a matrix product: the sequential loop lies between two
// parallel ones, and c is zeroed by a nest of its own inside the i loop.
//     c[i, j] = sum over k of a[i, k] * b[k, j]     for 0 <= i < 19, 0 <= k < 21, 0 <= j < 23

func.func @k_middle(%a: memref<19x21xf32>, %b: memref<21x23xf32>, %c: memref<19x23xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 19 {
    affine.for %j = 0 to 23 {
      affine.store %zero, %c[%i, %j] : memref<19x23xf32>
    }
    affine.for %k = 0 to 21 {
      %aik = affine.load %a[%i, %k] : memref<19x21xf32>
      affine.for %j = 0 to 23 {
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
