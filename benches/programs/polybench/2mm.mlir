// 2mm: D = alpha * A * B * C + beta * D, by way of tmp = alpha * A * B.
func.func @two_mm(%alpha: f32, %beta: f32, %tmp: memref<16x18xf32>, %A: memref<16x22xf32>, %B: memref<22x18xf32>,
                  %C: memref<18x24xf32>, %D: memref<16x24xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 18 {
      affine.store %zero, %tmp[%i, %j] : memref<16x18xf32>
      affine.for %k = 0 to 22 {
        %tmp_ij = affine.load %tmp[%i, %j] : memref<16x18xf32>
        %a_ik = affine.load %A[%i, %k] : memref<16x22xf32>
        %prod = arith.mulf %alpha, %a_ik : f32
        %b_kj = affine.load %B[%k, %j] : memref<22x18xf32>
        %prod0 = arith.mulf %prod, %b_kj : f32
        %sum = arith.addf %tmp_ij, %prod0 : f32
        affine.store %sum, %tmp[%i, %j] : memref<16x18xf32>
      }
    }
  }
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 24 {
      %d_ij = affine.load %D[%i, %j] : memref<16x24xf32>
      %prod = arith.mulf %d_ij, %beta : f32
      affine.store %prod, %D[%i, %j] : memref<16x24xf32>
      affine.for %k = 0 to 18 {
        %d_ij0 = affine.load %D[%i, %j] : memref<16x24xf32>
        %tmp_ik = affine.load %tmp[%i, %k] : memref<16x18xf32>
        %c_kj = affine.load %C[%k, %j] : memref<18x24xf32>
        %prod0 = arith.mulf %tmp_ik, %c_kj : f32
        %sum = arith.addf %d_ij0, %prod0 : f32
        affine.store %sum, %D[%i, %j] : memref<16x24xf32>
      }
    }
  }
  return
}
