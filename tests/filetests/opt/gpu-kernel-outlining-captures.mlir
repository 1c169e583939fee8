// test: opt --gpu-kernel-outlining
// A kernel gets the elements of a vector of the host; it computes one of scalars again.
func.func @captures(%x: memref<4x2xf32>, %v: vector<2xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %w = vector.broadcast %f : f32 to vector<2xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %s = arith.addf %v, %w : vector<2xf32>
    %t = arith.mulf %s, %v : vector<2xf32>
    vector.store %t, %x[%tx, %c0] : memref<4x2xf32>, vector<2xf32>
    gpu.terminator
  }
  return
}
