// Windows of 2 by 2 copied to rows, by a place that the nest advances by one: a kernel, since the place is a number of the counters.
// The expected values are those of a Python loop over 4 by 4 numbers from 0.
// test: run --arg=iota[16] --arg=zeros[36] --arg=4
// expect: arg 1 = [0, 1, 2, 4, 5, 6, 8, 9, 10, 1, 2, 3, 5, 6, 7, 9, 10, 11, 4, 5, 6, 8, 9, 10, 12, 13, 14, 5, 6, 7, 9, 10, 11, 13, 14, 15]
func.func @windows(%image: memref<?xf32>, %columns: memref<?xf32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.index_cast %n : i32 to index
  %last = arith.subi %size, %c1 : index
  %r = scf.for %dy = %c0 to %c2 step %c1 iter_args(%p0 = %zero) -> i32 {
    %r0 = scf.for %dx = %c0 to %c2 step %c1 iter_args(%p1 = %p0) -> i32 {
      %r1 = scf.for %y = %c0 to %last step %c1 iter_args(%p2 = %p1) -> i32 {
        %r2 = scf.for %x = %c0 to %last step %c1 iter_args(%p = %p2) -> i32 {
          %row = arith.addi %y, %dy : index
          %column = arith.addi %x, %dx : index
          %start = arith.muli %row, %size : index
          %from = arith.addi %start, %column : index
          %v = memref.load %image[%from] : memref<?xf32>
          %to = arith.index_cast %p : i32 to index
          memref.store %v, %columns[%to] : memref<?xf32>
          %next = arith.addi %p, %one : i32
          scf.yield %next : i32
        }
        scf.yield %r2 : i32
      }
      scf.yield %r1 : i32
    }
    scf.yield %r0 : i32
  }
  return
}
