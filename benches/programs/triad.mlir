func.func @triad(%a: memref<16777216xf32>, %b: memref<16777216xf32>, %c: memref<16777216xf32>) {
  %s = arith.constant 3.0 : f32
  affine.for %i = 0 to 16777216 {
    %x = affine.load %b[%i] : memref<16777216xf32>
    %y = affine.load %c[%i] : memref<16777216xf32>
    %p = arith.mulf %s, %y : f32
    %q = arith.addf %x, %p : f32
    affine.store %q, %a[%i] : memref<16777216xf32>
  }
  return
}
