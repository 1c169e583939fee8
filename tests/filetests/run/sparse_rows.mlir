// A sparse matrix times a vector: rows from row[i] to row[i + 1], one element each here.
// test: run --arg=iota --arg=iota --arg=iota --arg=iota --arg=zeros
// expect: arg 4 = [0, 1, 4, 9, 16, 25, 36, 49]
func.func @spmv(%row: memref<9xi32>, %col: memref<8xi32>, %val: memref<8xf32>, %x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c1 {
    %next = arith.addi %i, %c1 : index
    %first = memref.load %row[%i] : memref<9xi32>
    %last = memref.load %row[%next] : memref<9xi32>
    %from = arith.index_cast %first : i32 to index
    %to = arith.index_cast %last : i32 to index
    %sum = scf.for %k = %from to %to step %c1 iter_args(%so_far = %zero) -> (f32) {
      %v = memref.load %val[%k] : memref<8xf32>
      %column = memref.load %col[%k] : memref<8xi32>
      %at = arith.index_cast %column : i32 to index
      %w = memref.load %x[%at] : memref<8xf32>
      %product = arith.mulf %v, %w : f32
      %s = arith.addf %so_far, %product : f32
      scf.yield %s : f32
    }
    memref.store %sum, %y[%i] : memref<8xf32>
  }
  return
}
