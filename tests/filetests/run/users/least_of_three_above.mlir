// Least way through a table, row by row: whether there is a column beside is asked in the same condition as its number, as C has it.
// A row depends on the one before it alone. The expected values are those of a Python loop over the
// numbers from 0.
// test: run --arg=iota[12] --arg=4
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 7, 9, 12, 13, 15, 18]
func.func @ways(%m: memref<?xf32>, %w: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %false = arith.constant false
  %n = arith.index_cast %w : i32 to index
  %last = arith.subi %w, %one : i32
  scf.for %y = %c1 to %c3 step %c1 {
    %row = arith.index_cast %y : index to i32
    %above = arith.subi %row, %one : i32
    %up = arith.muli %above, %w : i32
    %here = arith.muli %row, %w : i32
    scf.for %x = %c0 to %n step %c1 {
      %column = arith.index_cast %x : index to i32
      %p = arith.addi %up, %column : i32
      %q = arith.index_cast %p : i32 to index
      %straight = memref.load %m[%q] : memref<?xf32>
      %has_left = arith.cmpi sgt, %column, %zero : i32
      %goes_left = scf.if %has_left -> i1 {
        %p1 = arith.subi %p, %one : i32
        %q1 = arith.index_cast %p1 : i32 to index
        %v = memref.load %m[%q1] : memref<?xf32>
        %c = arith.cmpf olt, %v, %straight : f32
        scf.yield %c : i1
      } else {
        scf.yield %false : i1
      }
      %b = scf.if %goes_left -> f32 {
        %p1 = arith.subi %p, %one : i32
        %q1 = arith.index_cast %p1 : i32 to index
        %v = memref.load %m[%q1] : memref<?xf32>
        scf.yield %v : f32
      } else {
        scf.yield %straight : f32
      }
      %has_right = arith.cmpi slt, %column, %last : i32
      %goes_right = scf.if %has_right -> i1 {
        %p1 = arith.addi %p, %one : i32
        %q1 = arith.index_cast %p1 : i32 to index
        %v = memref.load %m[%q1] : memref<?xf32>
        %c = arith.cmpf olt, %v, %b : f32
        scf.yield %c : i1
      } else {
        scf.yield %false : i1
      }
      %least = scf.if %goes_right -> f32 {
        %p1 = arith.addi %p, %one : i32
        %q1 = arith.index_cast %p1 : i32 to index
        %v = memref.load %m[%q1] : memref<?xf32>
        scf.yield %v : f32
      } else {
        scf.yield %b : f32
      }
      %at = arith.addi %here, %column : i32
      %to = arith.index_cast %at : i32 to index
      %e = memref.load %m[%to] : memref<?xf32>
      %sum = arith.addf %e, %least : f32
      memref.store %sum, %m[%to] : memref<?xf32>
    }
  }
  return
}
