// test: error compile --emit=msl
// error: MSL has no 64-bit floats
func.func @f(%x: memref<4xf64>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf64>
    %w = arith.addf %v, %v : f64
    affine.store %w, %x[%i] : memref<4xf64>
  }
  return
}
