// Cholesky factorisation in place: the lower triangle of a becomes L, a = L Lᵀ.
//     a[i, i] = a[i, i] + 20, which keeps the roots real; then
//     for i = 0, 1, ..., 15:
//         a[i, j] = (a[i, j] - sum over k < j of a[i, k] * a[j, k]) / a[j, j]     for j = 0, ..., i-1
//         a[i, i] = sqrt(a[i, i] - sum over k < i of a[i, k]²)

func.func @cholesky(%a: memref<16x16xf32>) {
  %twenty = arith.constant 20.0 : f32
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i, %i] : memref<16x16xf32>
    %y = arith.addf %x, %twenty : f32
    affine.store %y, %a[%i, %i] : memref<16x16xf32>
  }
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %x = affine.load %a[%i, %j] : memref<16x16xf32>
        %u = affine.load %a[%i, %k] : memref<16x16xf32>
        %v = affine.load %a[%j, %k] : memref<16x16xf32>
        %p = arith.mulf %u, %v : f32
        %y = arith.subf %x, %p : f32
        affine.store %y, %a[%i, %j] : memref<16x16xf32>
      }
      %x = affine.load %a[%i, %j] : memref<16x16xf32>
      %d = affine.load %a[%j, %j] : memref<16x16xf32>
      %y = arith.divf %x, %d : f32
      affine.store %y, %a[%i, %j] : memref<16x16xf32>
    }
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %a[%i, %i] : memref<16x16xf32>
      %u = affine.load %a[%i, %k] : memref<16x16xf32>
      %p = arith.mulf %u, %u : f32
      %y = arith.subf %x, %p : f32
      affine.store %y, %a[%i, %i] : memref<16x16xf32>
    }
    %x = affine.load %a[%i, %i] : memref<16x16xf32>
    %root = math.sqrt %x : f32
    affine.store %root, %a[%i, %i] : memref<16x16xf32>
  }
  return
}
