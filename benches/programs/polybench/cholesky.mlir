// cholesky: A = L * transposed L, L in place of the lower triangle, row by row.
func.func @cholesky(%A: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
        %a_ik = affine.load %A[%i, %k] : memref<40x40xf32>
        %a_jk = affine.load %A[%j, %k] : memref<40x40xf32>
        %prod = arith.mulf %a_ik, %a_jk : f32
        %diff = arith.subf %a_ij, %prod : f32
        affine.store %diff, %A[%i, %j] : memref<40x40xf32>
      }
      %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
      %a_jj = affine.load %A[%j, %j] : memref<40x40xf32>
      %quot = arith.divf %a_ij, %a_jj : f32
      affine.store %quot, %A[%i, %j] : memref<40x40xf32>
    }
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a_ii = affine.load %A[%i, %i] : memref<40x40xf32>
      %a_ik = affine.load %A[%i, %k] : memref<40x40xf32>
      %a_ik0 = affine.load %A[%i, %k] : memref<40x40xf32>
      %prod = arith.mulf %a_ik, %a_ik0 : f32
      %diff = arith.subf %a_ii, %prod : f32
      affine.store %diff, %A[%i, %i] : memref<40x40xf32>
    }
    %a_ii = affine.load %A[%i, %i] : memref<40x40xf32>
    %root = math.sqrt %a_ii : f32
    affine.store %root, %A[%i, %i] : memref<40x40xf32>
  }
  return
}
