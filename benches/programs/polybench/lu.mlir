// lu: A = L * U in place, L with ones on its diagonal, row by row.
func.func @lu(%A: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
        %a_ik = affine.load %A[%i, %k] : memref<40x40xf32>
        %a_kj = affine.load %A[%k, %j] : memref<40x40xf32>
        %prod = arith.mulf %a_ik, %a_kj : f32
        %diff = arith.subf %a_ij, %prod : f32
        affine.store %diff, %A[%i, %j] : memref<40x40xf32>
      }
      %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
      %a_jj = affine.load %A[%j, %j] : memref<40x40xf32>
      %quot = arith.divf %a_ij, %a_jj : f32
      affine.store %quot, %A[%i, %j] : memref<40x40xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 40 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
        %a_ik = affine.load %A[%i, %k] : memref<40x40xf32>
        %a_kj = affine.load %A[%k, %j] : memref<40x40xf32>
        %prod = arith.mulf %a_ik, %a_kj : f32
        %diff = arith.subf %a_ij, %prod : f32
        affine.store %diff, %A[%i, %j] : memref<40x40xf32>
      }
    }
  }
  return
}
