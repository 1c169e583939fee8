// gemver: A gains two outer products, then x = beta * transposed A * y + z and w = alpha * A * x.
func.func @gemver(%alpha: f32, %beta: f32, %A: memref<40x40xf32>, %u1: memref<40xf32>, %v1: memref<40xf32>,
                  %u2: memref<40xf32>, %v2: memref<40xf32>, %w: memref<40xf32>, %x: memref<40xf32>,
                  %y: memref<40xf32>, %z: memref<40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
      %u1_i = affine.load %u1[%i] : memref<40xf32>
      %v1_j = affine.load %v1[%j] : memref<40xf32>
      %prod = arith.mulf %u1_i, %v1_j : f32
      %sum = arith.addf %a_ij, %prod : f32
      %u2_i = affine.load %u2[%i] : memref<40xf32>
      %v2_j = affine.load %v2[%j] : memref<40xf32>
      %prod0 = arith.mulf %u2_i, %v2_j : f32
      %sum0 = arith.addf %sum, %prod0 : f32
      affine.store %sum0, %A[%i, %j] : memref<40x40xf32>
    }
  }
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %x_i = affine.load %x[%i] : memref<40xf32>
      %a_ji = affine.load %A[%j, %i] : memref<40x40xf32>
      %prod = arith.mulf %beta, %a_ji : f32
      %y_j = affine.load %y[%j] : memref<40xf32>
      %prod0 = arith.mulf %prod, %y_j : f32
      %sum = arith.addf %x_i, %prod0 : f32
      affine.store %sum, %x[%i] : memref<40xf32>
    }
  }
  affine.for %i = 0 to 40 {
    %x_i = affine.load %x[%i] : memref<40xf32>
    %z_i = affine.load %z[%i] : memref<40xf32>
    %sum = arith.addf %x_i, %z_i : f32
    affine.store %sum, %x[%i] : memref<40xf32>
  }
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %w_i = affine.load %w[%i] : memref<40xf32>
      %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
      %prod = arith.mulf %alpha, %a_ij : f32
      %x_j = affine.load %x[%j] : memref<40xf32>
      %prod0 = arith.mulf %prod, %x_j : f32
      %sum = arith.addf %w_i, %prod0 : f32
      affine.store %sum, %w[%i] : memref<40xf32>
    }
  }
  return
}
