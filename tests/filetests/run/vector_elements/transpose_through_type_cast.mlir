// A tile is transposed as tools that lower transfers do it: rows are read into a memory of vectors,
// which is read as one vector of two dimensions.
//
// With the 2x3 matrix 0 to 5, the 3x2 result is 0, 3, 1, 4, 2, 5.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 1, 4, 2, 5]
func.func @transpose(%a: memref<2x3xf32>, %out: memref<3x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %tile = memref.alloca() : memref<vector<2x3xf32>>
  %turned = memref.alloca() : memref<vector<3x2xf32>>
  %rows = vector.type_cast %tile : memref<vector<2x3xf32>> to memref<2xvector<3xf32>>
  scf.for %i = %c0 to %c2 step %c1 {
    %row = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [true]} : memref<2x3xf32>, vector<3xf32>
    memref.store %row, %rows[%i] : memref<2xvector<3xf32>>
  }
  %v = memref.load %tile[] : memref<vector<2x3xf32>>
  %t = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  memref.store %t, %turned[] : memref<vector<3x2xf32>>
  %columns = vector.type_cast %turned : memref<vector<3x2xf32>> to memref<3xvector<2xf32>>
  scf.for %i = %c0 to %c3 step %c1 {
    %column = memref.load %columns[%i] : memref<3xvector<2xf32>>
    vector.transfer_write %column, %out[%i, %c0] {in_bounds = [true]} : vector<2xf32>, memref<3x2xf32>
  }
  return
}
