// Loops of no iteration, of a negative range, and with a bound that is the least of several.
// test: run --arg=zeros --arg=-3
// expect: arg 0 = [7, 8, 0, 0, 0, 0, 0, 0]
func.func @f(%a: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %seven = arith.constant 7 : i32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %seven, %a[%c5] : memref<8xi32>
  }
  // From -3 to -1: i + 3 is 0 and 1.
  %end = arith.addi %n, %c2 : index
  %least = arith.minsi %end, %c0 : index
  scf.for %i = %n to %least step %c1 {
    %at = arith.subi %i, %n : index
    %k = arith.index_cast %at : index to i32
    %v = arith.addi %seven, %k : i32
    memref.store %v, %a[%at] : memref<8xi32>
  }
  return
}
