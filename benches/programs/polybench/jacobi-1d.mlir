// jacobi-1d: the mean of three neighbours, 20 times two steps.
func.func @jacobi_1d(%A: memref<30xf32>, %B: memref<30xf32>) {
  %c0_33333 = arith.constant 0.33333 : f32
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 29 {
      %a_im1 = affine.load %A[%i - 1] : memref<30xf32>
      %a_i = affine.load %A[%i] : memref<30xf32>
      %sum = arith.addf %a_im1, %a_i : f32
      %a_ip1 = affine.load %A[%i + 1] : memref<30xf32>
      %sum0 = arith.addf %sum, %a_ip1 : f32
      %prod = arith.mulf %c0_33333, %sum0 : f32
      affine.store %prod, %B[%i] : memref<30xf32>
    }
    affine.for %i = 1 to 29 {
      %b_im1 = affine.load %B[%i - 1] : memref<30xf32>
      %b_i = affine.load %B[%i] : memref<30xf32>
      %sum = arith.addf %b_im1, %b_i : f32
      %b_ip1 = affine.load %B[%i + 1] : memref<30xf32>
      %sum0 = arith.addf %sum, %b_ip1 : f32
      %prod = arith.mulf %c0_33333, %sum0 : f32
      affine.store %prod, %A[%i] : memref<30xf32>
    }
  }
  return
}
