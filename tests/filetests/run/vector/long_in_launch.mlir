// Vectors of 8 elements and of rank 2 in a kernel: a row is doubled, a block transposed and one element replaced.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14, 0, 3, 1, 4, 2, 100]
func.func @long(%x: memref<8xf32>, %y: memref<14xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %hundred = arith.constant 100.0 : f32
    %row = vector.load %x[%c0] : memref<8xf32>, vector<8xf32>
    %twice = arith.addf %row, %row : vector<8xf32>
    vector.store %twice, %y[%c0] : memref<14xf32>, vector<8xf32>
    %six = vector.load %x[%c0] : memref<8xf32>, vector<6xf32>
    %block = vector.shape_cast %six : vector<6xf32> to vector<2x3xf32>
    %turned = vector.transpose %block, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
    %changed = vector.insert %hundred, %turned[2, 1] : f32 into vector<3x2xf32>
    %flat = vector.shape_cast %changed : vector<3x2xf32> to vector<6xf32>
    vector.store %flat, %y[%c8] : memref<14xf32>, vector<6xf32>
    gpu.terminator
  }
  return
}
