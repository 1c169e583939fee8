// syr2k: the lower triangle of C = alpha * (A * transposed B + B * transposed A) + beta * C.
func.func @syr2k(%alpha: f32, %beta: f32, %C: memref<30x30xf32>, %A: memref<30x20xf32>, %B: memref<30x20xf32>) {
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c_ij = affine.load %C[%i, %j] : memref<30x30xf32>
      %prod = arith.mulf %c_ij, %beta : f32
      affine.store %prod, %C[%i, %j] : memref<30x30xf32>
    }
    affine.for %k = 0 to 20 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %c_ij = affine.load %C[%i, %j] : memref<30x30xf32>
        %a_jk = affine.load %A[%j, %k] : memref<30x20xf32>
        %prod = arith.mulf %a_jk, %alpha : f32
        %b_ik = affine.load %B[%i, %k] : memref<30x20xf32>
        %prod0 = arith.mulf %prod, %b_ik : f32
        %b_jk = affine.load %B[%j, %k] : memref<30x20xf32>
        %prod1 = arith.mulf %b_jk, %alpha : f32
        %a_ik = affine.load %A[%i, %k] : memref<30x20xf32>
        %prod2 = arith.mulf %prod1, %a_ik : f32
        %sum = arith.addf %prod0, %prod2 : f32
        %sum0 = arith.addf %c_ij, %sum : f32
        affine.store %sum0, %C[%i, %j] : memref<30x30xf32>
      }
    }
  }
  return
}
