// Rows sorted by insertion, as a front end for C leaves it: 32-bit numbers, and a short-circuit condition with a load. Rows are
// independent, since the place goes from where a key stands down to -1. Sorting rows of 0, 1, 2 … downwards turns each round.
// test: run --arg=iota[24] --arg=4 --arg=6
// expect: arg 0 = [5, 4, 3, 2, 1, 0, 11, 10, 9, 8, 7, 6, 17, 16, 15, 14, 13, 12, 23, 22, 21, 20, 19, 18]
func.func @sort(%a: memref<?xf32>, %rows: i32, %cols: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %false = arith.constant false
  %m = arith.index_cast %rows : i32 to index
  %n = arith.index_cast %cols : i32 to index
  scf.for %r = %c0 to %m step %c1 {
    %row = arith.index_cast %r : index to i32
    %base = arith.muli %row, %cols : i32
    scf.for %i = %c1 to %n step %c1 {
      %column = arith.index_cast %i : index to i32
      %here = arith.addi %base, %column : i32
      %at = arith.index_cast %here : i32 to index
      %key = memref.load %a[%at] : memref<?xf32>
      %last = arith.subi %column, %one : i32
      %place = scf.while (%j = %last) : (i32) -> i32 {
        %inside = arith.cmpi sge, %j, %zero : i32
        %moves = scf.if %inside -> i1 {
          %p = arith.addi %base, %j : i32
          %q = arith.index_cast %p : i32 to index
          %x = memref.load %a[%q] : memref<?xf32>
          %less = arith.cmpf olt, %x, %key : f32
          scf.yield %less : i1
        } else {
          scf.yield %false : i1
        }
        scf.condition(%moves) %j : i32
      } do {
      ^bb0(%j: i32):
        %p = arith.addi %base, %j : i32
        %q = arith.index_cast %p : i32 to index
        %x = memref.load %a[%q] : memref<?xf32>
        %next = arith.addi %p, %one : i32
        %to = arith.index_cast %next : i32 to index
        memref.store %x, %a[%to] : memref<?xf32>
        %less = arith.subi %j, %one : i32
        scf.yield %less : i32
      }
      %p = arith.addi %base, %place : i32
      %next = arith.addi %p, %one : i32
      %to = arith.index_cast %next : i32 to index
      memref.store %key, %a[%to] : memref<?xf32>
    }
  }
  return
}
