// syrk: the lower triangle of C = alpha * A * transposed A + beta * C.
func.func @syrk(%alpha: f32, %beta: f32, %C: memref<30x30xf32>, %A: memref<30x20xf32>) {
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c_ij = affine.load %C[%i, %j] : memref<30x30xf32>
      %prod = arith.mulf %c_ij, %beta : f32
      affine.store %prod, %C[%i, %j] : memref<30x30xf32>
    }
    affine.for %k = 0 to 20 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %c_ij = affine.load %C[%i, %j] : memref<30x30xf32>
        %a_ik = affine.load %A[%i, %k] : memref<30x20xf32>
        %prod = arith.mulf %alpha, %a_ik : f32
        %a_jk = affine.load %A[%j, %k] : memref<30x20xf32>
        %prod0 = arith.mulf %prod, %a_jk : f32
        %sum = arith.addf %c_ij, %prod0 : f32
        affine.store %sum, %C[%i, %j] : memref<30x30xf32>
      }
    }
  }
  return
}
