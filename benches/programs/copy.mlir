// y = x of 16 Mi elements.
func.func @copy(%x: memref<16777216xf32>, %y: memref<16777216xf32>) {
  affine.for %i = 0 to 16777216 {
    %v = affine.load %x[%i] : memref<16777216xf32>
    affine.store %v, %y[%i] : memref<16777216xf32>
  }
  return
}
