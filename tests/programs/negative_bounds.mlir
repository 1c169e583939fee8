// Loops that run through negative numbers, and indices that run backwards.
//     out[i + 10, 20 - j] = a[10 - i] * i + j     for -10 <= i < 11, -7 <= j <= 20 in steps of 4

func.func @negative_bounds(%a: memref<21xf32>, %out: memref<21x28xf32>) {
  affine.for %i = -10 to 11 {
    affine.for %j = -7 to 21 step 4 {
      %x = affine.load %a[-%i + 10] : memref<21xf32>
      %i_i32 = arith.index_cast %i : index to i32
      %i_f32 = arith.sitofp %i_i32 : i32 to f32
      %j_i32 = arith.index_cast %j : index to i32
      %j_f32 = arith.sitofp %j_i32 : i32 to f32
      %y = arith.mulf %x, %i_f32 : f32
      %z = arith.addf %y, %j_f32 : f32
      affine.store %z, %out[%i + 10, -%j + 20] : memref<21x28xf32>
    }
  }
  return
}
