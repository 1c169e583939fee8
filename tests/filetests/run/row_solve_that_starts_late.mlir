// Forward substitution that leaves out the first three columns: x[i] = (x[i] - sum over 3 <= j < i of x[j]) / 1.
//
// test: run --arg=ones --arg=iota
// expect: arg 1 = [0, 1, 2, 3, 1, 1, 1, 1, 1, 1]
func.func @f(%l: memref<10x10xf32>, %x: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    affine.for %j = 3 to affine_map<(d0) -> (d0)>(%i) {
      %xi = affine.load %x[%i] : memref<10xf32>
      %lij = affine.load %l[%i, %j] : memref<10x10xf32>
      %xj = affine.load %x[%j] : memref<10xf32>
      %p = arith.mulf %lij, %xj : f32
      %d = arith.subf %xi, %p : f32
      affine.store %d, %x[%i] : memref<10xf32>
    }
    %xi = affine.load %x[%i] : memref<10xf32>
    %lii = affine.load %l[%i, %i] : memref<10x10xf32>
    %q = arith.divf %xi, %lii : f32
    affine.store %q, %x[%i] : memref<10xf32>
  }
  return
}
