// jacobi-2d: the mean of five neighbours, 20 times two steps.
func.func @jacobi_2d(%A: memref<30x30xf32>, %B: memref<30x30xf32>) {
  %c0_2 = arith.constant 0.2 : f32
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 29 {
      affine.for %j = 1 to 29 {
        %a_ij = affine.load %A[%i, %j] : memref<30x30xf32>
        %a_ijm1 = affine.load %A[%i, %j - 1] : memref<30x30xf32>
        %sum = arith.addf %a_ij, %a_ijm1 : f32
        %a_ijp1 = affine.load %A[%i, %j + 1] : memref<30x30xf32>
        %sum0 = arith.addf %sum, %a_ijp1 : f32
        %a_ip1j = affine.load %A[%i + 1, %j] : memref<30x30xf32>
        %sum1 = arith.addf %sum0, %a_ip1j : f32
        %a_im1j = affine.load %A[%i - 1, %j] : memref<30x30xf32>
        %sum2 = arith.addf %sum1, %a_im1j : f32
        %prod = arith.mulf %c0_2, %sum2 : f32
        affine.store %prod, %B[%i, %j] : memref<30x30xf32>
      }
    }
    affine.for %i = 1 to 29 {
      affine.for %j = 1 to 29 {
        %b_ij = affine.load %B[%i, %j] : memref<30x30xf32>
        %b_ijm1 = affine.load %B[%i, %j - 1] : memref<30x30xf32>
        %sum = arith.addf %b_ij, %b_ijm1 : f32
        %b_ijp1 = affine.load %B[%i, %j + 1] : memref<30x30xf32>
        %sum0 = arith.addf %sum, %b_ijp1 : f32
        %b_ip1j = affine.load %B[%i + 1, %j] : memref<30x30xf32>
        %sum1 = arith.addf %sum0, %b_ip1j : f32
        %b_im1j = affine.load %B[%i - 1, %j] : memref<30x30xf32>
        %sum2 = arith.addf %sum1, %b_im1j : f32
        %prod = arith.mulf %c0_2, %sum2 : f32
        affine.store %prod, %A[%i, %j] : memref<30x30xf32>
      }
    }
  }
  return
}
