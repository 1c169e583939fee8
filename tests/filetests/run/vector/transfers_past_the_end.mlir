// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]
// expect: arg 2 = [9, 9, 9, 9, 5, 6, 7, 8, 9, 5]
// test: roundtrip
// What `affine-super-vectorize` makes of loops whose length is no multiple of the vector's: lanes
// past the end are not written, and read as the padding.
func.func @transfers_past_the_end(%x: memref<10xi32>, %y: memref<10xi32>, %z: memref<10xi32>) {
  %five = arith.constant 5 : i32
  affine.for %i = 0 to 10 step 4 {
    %v = vector.transfer_read %x[%i], %five : memref<10xi32>, vector<4xi32>
    %w = arith.addi %v, %v : vector<4xi32>
    vector.transfer_write %w, %y[%i] : vector<4xi32>, memref<10xi32>
  }
  // z[i] = x[i + 1] for 4 <= i, 5 past the end; the last element again and again for the others.
  affine.for %i = 0 to 1 {
    %c9 = arith.constant 9 : index
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c4 = arith.constant 4 : index
    %same = vector.transfer_read %x[%c9], %five {in_bounds = [true], permutation_map = affine_map<(d0) -> (0)>} : memref<10xi32>, vector<4xi32>
    vector.transfer_write %same, %z[%c0] {in_bounds = [true]} : vector<4xi32>, memref<10xi32>
    %late = vector.transfer_read %x[%c5], %five : memref<10xi32>, vector<8xi32>
    vector.transfer_write %late, %z[%c4] : vector<8xi32>, memref<10xi32>
  }
  return
}
