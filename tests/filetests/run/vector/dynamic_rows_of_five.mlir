// test: run --arg=iota[2x5] --arg=zeros[2x5]
// expect: arg 1 = [1, 2, 3, 4, 0, 6, 7, 8, 9, 0]
// Rows of five elements begin anywhere, so each element is an access.
// What is left of a row behind the last four stays as it is.
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
