// gesummv: y = alpha * A * x + beta * B * x.
func.func @gesummv(%alpha: f32, %beta: f32, %A: memref<30x30xf32>, %B: memref<30x30xf32>, %tmp: memref<30xf32>,
                   %x: memref<30xf32>, %y: memref<30xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 30 {
    affine.store %zero, %tmp[%i] : memref<30xf32>
    affine.store %zero, %y[%i] : memref<30xf32>
    affine.for %j = 0 to 30 {
      %a_ij = affine.load %A[%i, %j] : memref<30x30xf32>
      %x_j = affine.load %x[%j] : memref<30xf32>
      %prod = arith.mulf %a_ij, %x_j : f32
      %tmp_i = affine.load %tmp[%i] : memref<30xf32>
      %sum = arith.addf %prod, %tmp_i : f32
      affine.store %sum, %tmp[%i] : memref<30xf32>
      %b_ij = affine.load %B[%i, %j] : memref<30x30xf32>
      %x_j0 = affine.load %x[%j] : memref<30xf32>
      %prod0 = arith.mulf %b_ij, %x_j0 : f32
      %y_i = affine.load %y[%i] : memref<30xf32>
      %sum0 = arith.addf %prod0, %y_i : f32
      affine.store %sum0, %y[%i] : memref<30xf32>
    }
    %tmp_i = affine.load %tmp[%i] : memref<30xf32>
    %prod = arith.mulf %alpha, %tmp_i : f32
    %y_i = affine.load %y[%i] : memref<30xf32>
    %prod0 = arith.mulf %beta, %y_i : f32
    %sum = arith.addf %prod, %prod0 : f32
    affine.store %sum, %y[%i] : memref<30xf32>
  }
  return
}
