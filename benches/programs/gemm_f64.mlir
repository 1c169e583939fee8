// C += A B in double precision, 512 each way.
func.func @gemm(%A: memref<512x512xf64>, %B: memref<512x512xf64>, %C: memref<512x512xf64>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      affine.for %k = 0 to 512 {
        %a = affine.load %A[%i, %k] : memref<512x512xf64>
        %b = affine.load %B[%k, %j] : memref<512x512xf64>
        %c = affine.load %C[%i, %j] : memref<512x512xf64>
        %product = arith.mulf %a, %b : f64
        %sum = arith.addf %c, %product : f64
        affine.store %sum, %C[%i, %j] : memref<512x512xf64>
      }
    }
  }
  return
}
