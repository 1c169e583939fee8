// matmul: the product of two square matrices, the sum kept in memory.
//
//     c[i, j] = sum over k of a[i, k] * b[k, j]          for 0 <= i, j, k < 256
//
// Arguments: a, b (256 × 256 × f32, read), c (256 × 256 × f32, written; what it
// held before does not matter).
// The loops over i and j are parallel; the loop over k carries the sum through
// c[i, j] and stays inside a thread.
//
// Run:  gridloom run examples/matmul.mlir --arg random:1 --arg random:2 --arg zeros

func.func @matmul(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 256 {
      affine.store %zero, %c[%i, %j] : memref<256x256xf32>
      affine.for %k = 0 to 256 {
        %aik = affine.load %a[%i, %k] : memref<256x256xf32>
        %bkj = affine.load %b[%k, %j] : memref<256x256xf32>
        %cij = affine.load %c[%i, %j] : memref<256x256xf32>
        %product = arith.mulf %aik, %bkj : f32
        %sum = arith.addf %cij, %product : f32
        affine.store %sum, %c[%i, %j] : memref<256x256xf32>
      }
    }
  }
  return
}
