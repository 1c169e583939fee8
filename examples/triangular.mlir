// triangular: a symmetric rank-k update of the lower triangle (BLAS `syrk`).
//
//     c[i, j] = c[i, j] + sum over k of a[i, k] * a[j, k]
//     for 0 <= i < 200, 0 <= j <= i, 0 <= k < 96
//
// Arguments: a (200 × 96 × f32, read), c (200 × 200 × f32, read and written;
// what lies above the diagonal is left alone).
// The bound of the second loop depends on the first one, so the grid is not a
// rectangle: threads above the diagonal must do nothing.
//
// Run:  gridloom run examples/triangular.mlir --arg random:1 --arg zeros

func.func @triangular(%a: memref<200x96xf32>, %c: memref<200x200xf32>) {
  affine.for %i = 0 to 200 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %before = affine.load %c[%i, %j] : memref<200x200xf32>
      %dot = affine.for %k = 0 to 96 iter_args(%partial = %before) -> (f32) {
        %aik = affine.load %a[%i, %k] : memref<200x96xf32>
        %ajk = affine.load %a[%j, %k] : memref<200x96xf32>
        %product = arith.mulf %aik, %ajk : f32
        %sum = arith.addf %partial, %product : f32
        affine.yield %sum : f32
      }
      affine.store %dot, %c[%i, %j] : memref<200x200xf32>
    }
  }
  return
}
