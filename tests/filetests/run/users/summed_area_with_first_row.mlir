// A summed-area table in one array, whose first row is told apart in the nest, as C programs have it.
// Of the rows [0, 1, 2], [3, 4, 5], [6, 7, 8], each element becomes the sum of all above and left of it.
// test: run --arg=3 --arg=3 --arg=iota[9] --arg=zeros[9]
// expect: arg 3 = [0, 1, 3, 3, 8, 15, 9, 21, 36]
// test: run --arg=3 --arg=1 --arg=iota[3] --arg=zeros[3]
// expect: arg 3 = [0, 1, 3]
// test: run --arg=1 --arg=3 --arg=iota[3] --arg=zeros[3]
// expect: arg 3 = [0, 1, 3]
func.func @summed_area_with_first_row(%h: i32, %w: i32, %a: memref<?xi32>, %s: memref<?xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %y = %c0 to %h step %c1 : i32 {
    %row = arith.muli %y, %w : i32
    %is_first = arith.cmpi eq, %y, %c0 : i32
    %sum = scf.for %x = %c0 to %w step %c1 iter_args(%r = %c0) -> (i32) : i32 {
      %at = arith.addi %row, %x : i32
      %i = arith.index_cast %at : i32 to index
      %v = memref.load %a[%i] : memref<?xi32>
      %t = arith.addi %r, %v : i32
      scf.if %is_first {
        memref.store %t, %s[%i] : memref<?xi32>
      } else {
        %before = arith.subi %y, %c1 : i32
        %begin = arith.muli %before, %w : i32
        %above = arith.addi %begin, %x : i32
        %k = arith.index_cast %above : i32 to index
        %u = memref.load %s[%k] : memref<?xi32>
        %z = arith.addi %u, %t : i32
        memref.store %z, %s[%i] : memref<?xi32>
      }
      scf.yield %t : i32
    }
  }
  return
}
