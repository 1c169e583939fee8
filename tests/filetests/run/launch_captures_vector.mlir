// test: run --arg=zeros --arg=iota
// expect: arg 0 = [0, 1, 1, 2, 2, 3, 3, 4]

// A launch uses a vector of the host: kernels are passed its elements.
func.func @main(%x: memref<4x2xf32>, %y: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = vector.load %y[%c0] : memref<2xf32>, vector<2xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %i = arith.index_cast %tx : index to i32
    %f = arith.sitofp %i : i32 to f32
    %w = vector.broadcast %f : f32 to vector<2xf32>
    %s = arith.addf %v, %w : vector<2xf32>
    vector.store %s, %x[%tx, %c0] : memref<4x2xf32>, vector<2xf32>
    gpu.terminator
  }
  return
}
