// test: run --arg=iota --arg=zeros
// expect: arg 1 = [1, 3, 5, 7, 6, 8, 10, 12, 11, 13, 15, 17]
// test: roundtrip
// Rows of five elements begin at no multiple of two or four: the sum of each row's elements
// 0 to 3 and 1 to 4, element by element. Row r holds 5 r, 5 r + 1, …
func.func @unaligned(%x: memref<3x5xi32>, %y: memref<3x4xi32>) {
  affine.for %r = 0 to 3 {
    %a = affine.vector_load %x[%r, 0] : memref<3x5xi32>, vector<4xi32>
    %b = affine.vector_load %x[%r, 1] : memref<3x5xi32>, vector<4xi32>
    %t = arith.constant dense<[0, 0, 0, 0]> : vector<4xi32>
    %s = arith.addi %a, %b : vector<4xi32>
    %o = affine.apply affine_map<(r) -> (r * 5)>(%r)
    %oi = arith.index_cast %o : index to i32
    %ov = vector.broadcast %oi : i32 to vector<4xi32>
    %d = arith.subi %s, %ov : vector<4xi32>
    %e = arith.addi %d, %t : vector<4xi32>
    affine.vector_store %e, %y[%r, 0] : memref<3x4xi32>, vector<4xi32>
  }
  return
}
