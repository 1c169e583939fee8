// The bits of vectors as elements of another width, the first in the lowest bits: 258 = 0x0102 is the
// bytes 2, 1, and their sum with 257 = 0x0101 in bytes is 3, 2, 0, 0, which is 515 = 0x0203.
//
// Floats are cast by way of integers: 1.0 is 0x3f800000, whose halves are 0 and 0x3f80 = 16256.
//
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [515, 0, 515, 0]
// expect: arg 1 = [0, 16256, 0, 16256, 0, 16256, 0, 16256]
func.func @bits(%words: memref<4xi32>, %halves: memref<8xi16>) {
  affine.for %i = 0 to 2 {
    %a = arith.constant dense<[258, 0]> : vector<2xi32>
    %b = arith.constant dense<[1, 1, 0, 0, 0, 0, 0, 0]> : vector<8xi8>
    %bytes = vector.bitcast %a : vector<2xi32> to vector<8xi8>
    %sum = arith.addi %bytes, %b : vector<8xi8>
    %back = vector.bitcast %sum : vector<8xi8> to vector<2xi32>
    affine.vector_store %back, %words[%i * 2] : memref<4xi32>, vector<2xi32>
    %one = arith.constant dense<1.0> : vector<2xf32>
    %parts = vector.bitcast %one : vector<2xf32> to vector<4xi16>
    affine.vector_store %parts, %halves[%i * 4] : memref<8xi16>, vector<4xi16>
  }
  return
}
