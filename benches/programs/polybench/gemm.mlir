// gemm: C = alpha * A * B + beta * C.
func.func @gemm(%alpha: f32, %beta: f32, %C: memref<20x25xf32>, %A: memref<20x30xf32>, %B: memref<30x25xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 25 {
      %c_ij = affine.load %C[%i, %j] : memref<20x25xf32>
      %prod = arith.mulf %c_ij, %beta : f32
      affine.store %prod, %C[%i, %j] : memref<20x25xf32>
    }
    affine.for %k = 0 to 30 {
      affine.for %j = 0 to 25 {
        %c_ij = affine.load %C[%i, %j] : memref<20x25xf32>
        %a_ik = affine.load %A[%i, %k] : memref<20x30xf32>
        %prod = arith.mulf %alpha, %a_ik : f32
        %b_kj = affine.load %B[%k, %j] : memref<30x25xf32>
        %prod0 = arith.mulf %prod, %b_kj : f32
        %sum = arith.addf %c_ij, %prod0 : f32
        affine.store %sum, %C[%i, %j] : memref<20x25xf32>
      }
    }
  }
  return
}
