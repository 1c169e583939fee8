// seidel-2d: the mean of nine neighbours in place, 20 sweeps.
func.func @seidel_2d(%A: memref<40x40xf32>) {
  %c9 = arith.constant 9.0 : f32
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 39 {
      affine.for %j = 1 to 39 {
        %a_im1jm1 = affine.load %A[%i - 1, %j - 1] : memref<40x40xf32>
        %a_im1j = affine.load %A[%i - 1, %j] : memref<40x40xf32>
        %sum = arith.addf %a_im1jm1, %a_im1j : f32
        %a_im1jp1 = affine.load %A[%i - 1, %j + 1] : memref<40x40xf32>
        %sum0 = arith.addf %sum, %a_im1jp1 : f32
        %a_ijm1 = affine.load %A[%i, %j - 1] : memref<40x40xf32>
        %sum1 = arith.addf %sum0, %a_ijm1 : f32
        %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
        %sum2 = arith.addf %sum1, %a_ij : f32
        %a_ijp1 = affine.load %A[%i, %j + 1] : memref<40x40xf32>
        %sum3 = arith.addf %sum2, %a_ijp1 : f32
        %a_ip1jm1 = affine.load %A[%i + 1, %j - 1] : memref<40x40xf32>
        %sum4 = arith.addf %sum3, %a_ip1jm1 : f32
        %a_ip1j = affine.load %A[%i + 1, %j] : memref<40x40xf32>
        %sum5 = arith.addf %sum4, %a_ip1j : f32
        %a_ip1jp1 = affine.load %A[%i + 1, %j + 1] : memref<40x40xf32>
        %sum6 = arith.addf %sum5, %a_ip1jp1 : f32
        %quot = arith.divf %sum6, %c9 : f32
        affine.store %quot, %A[%i, %j] : memref<40x40xf32>
      }
    }
  }
  return
}
