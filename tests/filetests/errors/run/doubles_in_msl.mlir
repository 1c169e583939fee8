// test: error compile --emit=msl --remarks
// remark: 5:3: it has 64-bit floats, which MSL does not have
// error: no loop of this program was mapped to a kernel
func.func @f(%x: memref<4xf64>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf64>
    %w = arith.addf %v, %v : f64
    affine.store %w, %x[%i] : memref<4xf64>
  }
  return
}
