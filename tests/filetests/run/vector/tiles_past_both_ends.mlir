// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14, 16]
// expect: arg 2 = [0, 3, 6, 1, 4, 7, 2, 5, 8]
// test: roundtrip
// A 3 by 3 array doubled, and transposed, by tiles of 2 by 2.
func.func @tiles_past_both_ends(%x: memref<3x3xi32>, %y: memref<3x3xi32>, %z: memref<3x3xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 3 step 2 {
    affine.for %j = 0 to 3 step 2 {
      %v = vector.transfer_read %x[%i, %j], %zero : memref<3x3xi32>, vector<2x2xi32>
      %w = arith.addi %v, %v : vector<2x2xi32>
      vector.transfer_write %w, %y[%i, %j] : vector<2x2xi32>, memref<3x3xi32>
      %t = vector.transfer_read %x[%i, %j], %zero {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<3x3xi32>, vector<2x2xi32>
      vector.transfer_write %t, %z[%j, %i] : vector<2x2xi32>, memref<3x3xi32>
    }
  }
  return
}
