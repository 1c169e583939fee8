// test: opt --affine-loop-tile=tile-sizes=2,2
// test: run-opt --arg=iota --arg=iota
// expect: arg 0 = [9, 1, 2, 3, 4, 5, 6, 7, 8]
// Data chooses the element that an iteration reads and the one before may have written, so that the order stays.
// Here it is always a[0], which becomes 0 + 3 (0 + 1 + 2).
func.func @main(%a: memref<9xi32>, %b: memref<3xi32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      %n = affine.load %b[%j] : memref<3xi32>
      %at = arith.index_cast %n : i32 to index
      %zero = arith.subi %at, %at : index
      %x = memref.load %a[%zero] : memref<9xi32>
      %s = arith.addi %x, %n : i32
      memref.store %s, %a[%zero] : memref<9xi32>
    }
  }
  return
}
