// y += 2.5 x of 16 Mi elements.
func.func @axpy(%x: memref<16777216xf32>, %y: memref<16777216xf32>) {
  %a = arith.constant 2.5 : f32
  affine.for %i = 0 to 16777216 {
    %v = affine.load %x[%i] : memref<16777216xf32>
    %w = affine.load %y[%i] : memref<16777216xf32>
    %p = arith.mulf %a, %v : f32
    %s = arith.addf %w, %p : f32
    affine.store %s, %y[%i] : memref<16777216xf32>
  }
  return
}
