// test: run --arg=iota --arg=zeros
// expect: arg 0 = [0, 0, 0, 0, 0, 0, 0, 7]
// test: roundtrip
// Each iteration reads what the one before has written in its other lane: no loop for a grid.
// x[i], x[i + 1] become x[i - 1], x[i]; so the zeros in front travel to all but the last.
func.func @lanes_meet(%x: memref<8xi32>, %y: memref<1xi32>) {
  affine.for %i = 1 to 7 {
    %v = affine.vector_load %x[%i - 1] : memref<8xi32>, vector<2xi32>
    %w = vector.shuffle %v, %v [0, 0] : vector<2xi32>, vector<2xi32>
    affine.vector_store %w, %x[%i - 1] : memref<8xi32>, vector<2xi32>
  }
  return
}
