// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 7]
// expect: arg 1 = [0, 0, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 14]
// test: roundtrip
// Which iterations are tied by lanes of their vectors: those of the first and the third loop,
// not those of the second and the fourth.
func.func @dependences(%x: memref<9xi32>, %y: memref<16xi32>) {
  affine.for %i = 0 to 8 {
    %k = arith.index_cast %i : index to i32
    %w = vector.broadcast %k : i32 to vector<2xi32>
    affine.vector_store %w, %x[%i] : memref<9xi32>, vector<2xi32>
  }
  affine.for %i = 0 to 8 {
    %k = arith.index_cast %i : index to i32
    %w = vector.broadcast %k : i32 to vector<2xi32>
    affine.vector_store %w, %y[%i * 2] : memref<16xi32>, vector<2xi32>
  }
  affine.for %i = 0 to 7 {
    %w = affine.vector_load %y[%i * 2] : memref<16xi32>, vector<2xi32>
    affine.vector_store %w, %y[%i * 2 + 1] : memref<16xi32>, vector<2xi32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<9xi32>
    %w = affine.vector_load %y[%i * 2] : memref<16xi32>, vector<2xi32>
    %z = vector.broadcast %v : i32 to vector<2xi32>
    %s = arith.addi %w, %z : vector<2xi32>
    affine.vector_store %s, %y[%i * 2] : memref<16xi32>, vector<2xi32>
  }
  return
}
