// test: run --arg=zeros
// expect: result 0 = 153
// expect: result 1 = 295
// expect: result 2 = 197
// The best local alignment of two sequences of 300 and 280 letters, with the place where it ends first: the loops carry
// all three beside the recurrence. The numbers are Python's.
func.func @main(%score: memref<301x281xi32>) -> (i32, index, index) {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %match = arith.constant 3 : i32
  %mismatch = arith.constant -2 : i32
  %gap = arith.constant 2 : i32
  %none = arith.constant 0 : index
  %r:3 = affine.for %i = 1 to 301 iter_args(%b = %zero, %p = %none, %q = %none) -> (i32, index, index) {
    %s:3 = affine.for %j = 1 to 281 iter_args(%c = %b, %t = %p, %u = %q) -> (i32, index, index) {
      %row = arith.index_cast %i : index to i32
      %column = arith.index_cast %j : index to i32
      %rows = arith.muli %row, %row : i32
      %thirds = arith.divsi %rows, %match : i32
      %x = arith.remsi %thirds, %four : i32
      %columns = arith.muli %column, %column : i32
      %halves = arith.divsi %columns, %gap : i32
      %y = arith.remsi %halves, %four : i32
      %same = arith.cmpi eq, %x, %y : i32
      %step = arith.select %same, %match, %mismatch : i32
      %corner = affine.load %score[%i - 1, %j - 1] : memref<301x281xi32>
      %above = affine.load %score[%i - 1, %j] : memref<301x281xi32>
      %left = affine.load %score[%i, %j - 1] : memref<301x281xi32>
      %along = arith.addi %corner, %step : i32
      %longer = arith.maxsi %above, %left : i32
      %skipped = arith.subi %longer, %gap : i32
      %better = arith.maxsi %along, %skipped : i32
      %own = arith.maxsi %better, %zero : i32
      affine.store %own, %score[%i, %j] : memref<301x281xi32>
      %is_best = arith.cmpi sgt, %own, %c : i32
      %c1 = arith.select %is_best, %own, %c : i32
      %t1 = arith.select %is_best, %i, %t : index
      %u1 = arith.select %is_best, %j, %u : index
      affine.yield %c1, %t1, %u1 : i32, index, index
    }
    affine.yield %s#0, %s#1, %s#2 : i32, index, index
  }
  return %r#0, %r#1, %r#2 : i32, index, index
}
