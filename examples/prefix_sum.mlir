// prefix_sum: running totals, in place.
//
//     x[i] = x[i] + x[i - 1]          for i = 1, 2, ..., 4095, in that order
//
// Arguments: x (4096 × f32, read and written).
// Each iteration needs the result of the one before it (a flow dependence of
// distance 1). Loops of 8,192 iterations and more become scans in kernels; three
// launches cost more than this one, so that it runs on the host, and the
// compiler says so in a remark.
//
// Run:  gridloom run examples/prefix_sum.mlir --arg ones

func.func @prefix_sum(%x: memref<4096xf32>) {
  affine.for %i = 1 to 4096 {
    %before = affine.load %x[%i - 1] : memref<4096xf32>
    %here = affine.load %x[%i] : memref<4096xf32>
    %total = arith.addf %here, %before : f32
    affine.store %total, %x[%i] : memref<4096xf32>
  }
  return
}
