// trisolv: L * x = b by forward substitution, row by row.
func.func @trisolv(%L: memref<40x40xf32>, %x: memref<40xf32>, %b: memref<40xf32>) {
  affine.for %i = 0 to 40 {
    %b_i = affine.load %b[%i] : memref<40xf32>
    affine.store %b_i, %x[%i] : memref<40xf32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x_i = affine.load %x[%i] : memref<40xf32>
      %l_ij = affine.load %L[%i, %j] : memref<40x40xf32>
      %x_j = affine.load %x[%j] : memref<40xf32>
      %prod = arith.mulf %l_ij, %x_j : f32
      %diff = arith.subf %x_i, %prod : f32
      affine.store %diff, %x[%i] : memref<40xf32>
    }
    %x_i = affine.load %x[%i] : memref<40xf32>
    %l_ii = affine.load %L[%i, %i] : memref<40x40xf32>
    %quot = arith.divf %x_i, %l_ii : f32
    affine.store %quot, %x[%i] : memref<40xf32>
  }
  return
}
