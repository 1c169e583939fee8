// C += A B of half precision into single precision, 512 each way.
func.func @gemm(%A: memref<512x512xf16>, %B: memref<512x512xf16>, %C: memref<512x512xf32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      affine.for %k = 0 to 512 {
        %a = affine.load %A[%i, %k] : memref<512x512xf16>
        %b = affine.load %B[%k, %j] : memref<512x512xf16>
        %c = affine.load %C[%i, %j] : memref<512x512xf32>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
        %product = arith.mulf %x, %y : f32
        %sum = arith.addf %c, %product : f32
        affine.store %sum, %C[%i, %j] : memref<512x512xf32>
      }
    }
  }
  return
}
