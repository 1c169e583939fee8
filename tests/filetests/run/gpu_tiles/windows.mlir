// Tiles of a GPU, on sizes from which on it has threads enough for them: a nine-point stencil whose windows are unrolled,
// with rows that vectors do not fit, and a five-point stencil that has vectors.
// test: run --map-for=gpu --entry=square
// test: run --map-for=gpu --entry=star
func.func @square(%a: memref<514x515xf32>, %b: memref<514x515xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 1 to 513 {
    affine.for %j = 1 to 514 {
      %s = affine.for %x = -1 to 2 iter_args(%s0 = %zero) -> (f32) {
        %s1 = affine.for %y = -1 to 2 iter_args(%s2 = %s0) -> (f32) {
          %v = affine.load %a[%i + %x, %j + %y] : memref<514x515xf32>
          %n = arith.addf %s2, %v : f32
          affine.yield %n : f32
        }
        affine.yield %s1 : f32
      }
      affine.store %s, %b[%i, %j] : memref<514x515xf32>
    }
  }
  return
}
func.func @star(%a: memref<515x524xf32>, %b: memref<515x524xf32>) {
  affine.for %i = 1 to 514 {
    affine.for %j = 2 to 523 {
      %c = affine.load %a[%i, %j] : memref<515x524xf32>
      %w = affine.load %a[%i, %j - 2] : memref<515x524xf32>
      %e = affine.load %a[%i, %j + 1] : memref<515x524xf32>
      %n = affine.load %a[%i - 1, %j] : memref<515x524xf32>
      %s = affine.load %a[%i + 1, %j] : memref<515x524xf32>
      %1 = arith.addf %c, %w : f32
      %2 = arith.addf %1, %e : f32
      %3 = arith.addf %2, %n : f32
      %4 = arith.addf %3, %s : f32
      affine.store %4, %b[%i, %j] : memref<515x524xf32>
    }
  }
  return
}
