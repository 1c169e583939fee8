// test: run --arg=iota --arg=3
// expect: arg 0 = [0, 10, 2, 13, 4, 16, 6, 7]
func.func @f(%a: memref<8xi32>, %n: index) {
  %c9 = arith.constant 9 : i32
  scf.forall (%i) = (0) to (%n) step (1) {
    %at = affine.apply affine_map<(d0) -> (2 * d0 + 1)>(%i)
    %x = memref.load %a[%at] : memref<8xi32>
    %v = arith.index_cast %i : index to i32
    %y = arith.addi %x, %v : i32
    %z = arith.addi %y, %c9 : i32
    memref.store %z, %a[%at] : memref<8xi32>
  }
  return
}
