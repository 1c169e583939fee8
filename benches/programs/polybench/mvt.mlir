// mvt: x1 = x1 + A * y1 and x2 = x2 + transposed A * y2.
func.func @mvt(%x1: memref<40xf32>, %x2: memref<40xf32>, %y_1: memref<40xf32>, %y_2: memref<40xf32>,
               %A: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %x1_i = affine.load %x1[%i] : memref<40xf32>
      %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
      %y_1_j = affine.load %y_1[%j] : memref<40xf32>
      %prod = arith.mulf %a_ij, %y_1_j : f32
      %sum = arith.addf %x1_i, %prod : f32
      affine.store %sum, %x1[%i] : memref<40xf32>
    }
  }
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %x2_i = affine.load %x2[%i] : memref<40xf32>
      %a_ji = affine.load %A[%j, %i] : memref<40x40xf32>
      %y_2_j = affine.load %y_2[%j] : memref<40xf32>
      %prod = arith.mulf %a_ji, %y_2_j : f32
      %sum = arith.addf %x2_i, %prod : f32
      affine.store %sum, %x2[%i] : memref<40xf32>
    }
  }
  return
}
