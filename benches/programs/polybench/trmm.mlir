// trmm: B = alpha * transposed A * B for a lower triangular A with ones on its diagonal.
func.func @trmm(%alpha: f32, %A: memref<20x20xf32>, %B: memref<20x30xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 30 {
      affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to 20 {
        %b_ij = affine.load %B[%i, %j] : memref<20x30xf32>
        %a_ki = affine.load %A[%k, %i] : memref<20x20xf32>
        %b_kj = affine.load %B[%k, %j] : memref<20x30xf32>
        %prod = arith.mulf %a_ki, %b_kj : f32
        %sum = arith.addf %b_ij, %prod : f32
        affine.store %sum, %B[%i, %j] : memref<20x30xf32>
      }
      %b_ij = affine.load %B[%i, %j] : memref<20x30xf32>
      %prod = arith.mulf %alpha, %b_ij : f32
      affine.store %prod, %B[%i, %j] : memref<20x30xf32>
    }
  }
  return
}
