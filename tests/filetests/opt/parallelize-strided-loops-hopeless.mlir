// Two halves of an array of rows: columns of a row are not within a row of those %h rows further for any sizes from 2 on, so
// that the test asks whether these are beyond the row.
// test: opt --parallelize-strided-loops
// test: run-opt --arg=zeros[12] --arg=2 --arg=3
// test: run --arg=zeros[12] --arg=2 --arg=3
// expect: arg 0 = [0, 1, 2, 0, 1, 2, 0, 0, 0, 1, 1, 1]
// test: run-opt --arg=zeros[3] --arg=1 --arg=1
// test: run --arg=zeros[3] --arg=1 --arg=1
// expect: arg 0 = [0, 0, 0]
func.func @halves(%y: memref<?xi32>, %h: index, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %h step %c1 {
    %0 = arith.muli %i, %w : index
    %below = arith.addi %i, %h : index
    %1 = arith.muli %below, %w : index
    %row = arith.index_cast %i : index to i32
    scf.for %j = %c0 to %w step %c1 {
      %2 = arith.addi %0, %j : index
      %3 = arith.addi %1, %j : index
      %column = arith.index_cast %j : index to i32
      memref.store %column, %y[%2] : memref<?xi32>
      memref.store %row, %y[%3] : memref<?xi32>
    }
  }
  return
}
