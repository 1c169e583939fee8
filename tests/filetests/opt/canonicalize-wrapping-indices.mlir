// test: opt --canonicalize
// test: run --arg=zeros
// expect: arg 0 = [0, -9223372036854775808, -9223372036854775808, 9223372036854775807, 0, 5, 3]
// test: run-opt --arg=zeros
// expect: arg 0 = [0, -9223372036854775808, -9223372036854775808, 9223372036854775807, 0, 5, 3]

// Index arithmetic on constants wraps around at 64 bits; affine expressions that would are left as they are: 4 times 2^62 is 0, 2^62
// twice and 1 more than the greatest index are the least, and 1 less than that is the greatest.
func.func @main(%out: memref<7xi64>) {
  %high = arith.constant 4611686018427387904 : index
  %most = arith.constant 9223372036854775807 : index
  %least = arith.constant -9223372036854775808 : index
  %one = arith.constant 1 : index
  %a = affine.apply affine_map<(d0) -> (d0 * 4)>(%high)
  %b = affine.apply affine_map<(d0) -> (d0 + 4611686018427387904)>(%high)
  %c = arith.addi %most, %one : index
  %d = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%least, %one)
  %narrow = arith.index_cast %high : index to i32
  %e = arith.index_cast %narrow : i32 to index
  %f = affine.max affine_map<(d0) -> (d0 + 4611686018427387904, 5)>(%high)
  %g = affine.min affine_map<(d0) -> (d0 * 4 + 3, 7)>(%high)
  %a64 = arith.index_cast %a : index to i64
  %b64 = arith.index_cast %b : index to i64
  %c64 = arith.index_cast %c : index to i64
  %d64 = arith.index_cast %d : index to i64
  %e64 = arith.index_cast %e : index to i64
  %f64 = arith.index_cast %f : index to i64
  %g64 = arith.index_cast %g : index to i64
  affine.store %a64, %out[0] : memref<7xi64>
  affine.store %b64, %out[1] : memref<7xi64>
  affine.store %c64, %out[2] : memref<7xi64>
  affine.store %d64, %out[3] : memref<7xi64>
  affine.store %e64, %out[4] : memref<7xi64>
  affine.store %f64, %out[5] : memref<7xi64>
  affine.store %g64, %out[6] : memref<7xi64>
  return
}
