// 3mm: G = (A * B) * (C * D), by way of E = A * B and F = C * D.
func.func @three_mm(%E: memref<16x18xf32>, %A: memref<16x20xf32>, %B: memref<20x18xf32>, %F: memref<18x22xf32>,
                    %C: memref<18x24xf32>, %D: memref<24x22xf32>, %G: memref<16x22xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 18 {
      affine.store %zero, %E[%i, %j] : memref<16x18xf32>
      affine.for %k = 0 to 20 {
        %e_ij = affine.load %E[%i, %j] : memref<16x18xf32>
        %a_ik = affine.load %A[%i, %k] : memref<16x20xf32>
        %b_kj = affine.load %B[%k, %j] : memref<20x18xf32>
        %prod = arith.mulf %a_ik, %b_kj : f32
        %sum = arith.addf %e_ij, %prod : f32
        affine.store %sum, %E[%i, %j] : memref<16x18xf32>
      }
    }
  }
  affine.for %i = 0 to 18 {
    affine.for %j = 0 to 22 {
      affine.store %zero, %F[%i, %j] : memref<18x22xf32>
      affine.for %k = 0 to 24 {
        %f_ij = affine.load %F[%i, %j] : memref<18x22xf32>
        %c_ik = affine.load %C[%i, %k] : memref<18x24xf32>
        %d_kj = affine.load %D[%k, %j] : memref<24x22xf32>
        %prod = arith.mulf %c_ik, %d_kj : f32
        %sum = arith.addf %f_ij, %prod : f32
        affine.store %sum, %F[%i, %j] : memref<18x22xf32>
      }
    }
  }
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 22 {
      affine.store %zero, %G[%i, %j] : memref<16x22xf32>
      affine.for %k = 0 to 18 {
        %g_ij = affine.load %G[%i, %j] : memref<16x22xf32>
        %e_ik = affine.load %E[%i, %k] : memref<16x18xf32>
        %f_kj = affine.load %F[%k, %j] : memref<18x22xf32>
        %prod = arith.mulf %e_ik, %f_kj : f32
        %sum = arith.addf %g_ij, %prod : f32
        affine.store %sum, %G[%i, %j] : memref<16x22xf32>
      }
    }
  }
  return
}
