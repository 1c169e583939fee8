// test: run --arg=iota[3x8] --arg=zeros[3x8]
// expect: arg 1 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]
// test: roundtrip
// Rows of a size that only the launch knows: at 8 elements each begins at a multiple of four.
func.func @dynamic_rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ones = arith.constant dense<1.0> : vector<4xf32>
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %columns = memref.dim %x, %c1 : memref<?x?xf32>
  affine.parallel (%r, %j) = (0, 0) to (symbol(%rows), symbol(%columns) floordiv 4) {
    %v = affine.vector_load %x[%r, %j * 4] : memref<?x?xf32>, vector<4xf32>
    %s = arith.addf %v, %ones : vector<4xf32>
    affine.vector_store %s, %y[%r, %j * 4] : memref<?x?xf32>, vector<4xf32>
  }
  return
}
