// Gaussian elimination in place, without pivoting: triangular bounds on both
// sides, two inner nests that need each other's results, outer loop sequential.
//     a[i, i] = a[i, i] + 20, which keeps the pivots away from 0; then
//     for k = 0, 1, ..., 16:   a[i, k] = a[i, k] / a[k, k]                 for k < i < 17
//                              a[i, j] = a[i, j] - a[i, k] * a[k, j]       for k < i, j < 17

func.func @lu(%a: memref<17x17xf32>) {
  %twenty = arith.constant 20.0 : f32
  affine.for %i = 0 to 17 {
    %x = affine.load %a[%i, %i] : memref<17x17xf32>
    %y = arith.addf %x, %twenty : f32
    affine.store %y, %a[%i, %i] : memref<17x17xf32>
  }
  affine.for %k = 0 to 17 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      %x = affine.load %a[%i, %k] : memref<17x17xf32>
      %pivot = affine.load %a[%k, %k] : memref<17x17xf32>
      %y = arith.divf %x, %pivot : f32
      affine.store %y, %a[%i, %k] : memref<17x17xf32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
        %x = affine.load %a[%i, %j] : memref<17x17xf32>
        %l = affine.load %a[%i, %k] : memref<17x17xf32>
        %u = affine.load %a[%k, %j] : memref<17x17xf32>
        %p = arith.mulf %l, %u : f32
        %y = arith.subf %x, %p : f32
        affine.store %y, %a[%i, %j] : memref<17x17xf32>
      }
    }
  }
  return
}
