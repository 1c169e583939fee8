// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14]

// Scalable vectors in a kernel of the program.

func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %c4 = arith.constant 4 : index
    %vscale = vector.vscale
    %length = arith.muli %vscale, %c4 : index
    %at = arith.muli %tx, %length : index
    %v = vector.load %x[%at] : memref<8xf32>, vector<[4]xf32>
    %w = arith.addf %v, %v : vector<[4]xf32>
    vector.store %w, %y[%at] : memref<8xf32>, vector<[4]xf32>
    gpu.terminator
  }
  return
}
