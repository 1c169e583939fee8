// Elements move by a way that the program loads: against the direction of the loop they are read before they are
// overwritten, with it each comes of the one before.
// test: run --arg=iota --arg=ones --arg=1
// expect: arg 0 = [0, 1, 10, 20, 30, 40, 50, 7]
// test: run --arg=iota --arg=ones --arg=-1
// expect: arg 0 = [0, 1, 700000, 70000, 7000, 700, 70, 7]
func.func @move(%x: memref<8xi32>, %ways: memref<1xi32>, %sign: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %ten = arith.constant 10 : i32
  scf.for %i = %c0 to %c1 step %c1 {
    %length = memref.load %ways[%i] : memref<1xi32>
    %signed = arith.muli %length, %sign : i32
    %way = arith.index_cast %signed : i32 to index
    scf.for %k = %c1 to %c6 step %c1 {
      %j = arith.subi %c7, %k : index
      %from = arith.subi %j, %way : index
      %v = memref.load %x[%from] : memref<8xi32>
      %w = arith.muli %v, %ten : i32
      memref.store %w, %x[%j] : memref<8xi32>
    }
  }
  return
}
