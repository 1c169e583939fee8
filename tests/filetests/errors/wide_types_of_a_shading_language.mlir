// A nest of types that a shading language lacks stays on the host, as for a device without them.
// test: error compile --emit=wgsl --remarks
// remark: 7:3: it has 64-bit integers, which WGSL does not have
// error: no loop of this program was mapped to a kernel
func.func @main(%x: memref<8xi64>) {
  // Nothing but this loop.
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi64>
    %w = arith.addi %v, %v : i64
    affine.store %w, %x[%i] : memref<8xi64>
  }
  return
}
