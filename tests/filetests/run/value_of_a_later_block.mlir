// test: run --arg=iota --arg=zeros
// expect: arg 1 = [7, 0]
// test: roundtrip
// Blocks stand in any order: the value used in ^use is defined in ^def, which comes after it.
func.func @value_of_a_later_block(%x: memref<4xi32>, %y: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %four = arith.constant 4 : i32
  cf.br ^def
^use:
  memref.store %sum, %y[%c0] : memref<2xi32>
  return
^def:
  %v = memref.load %x[%c3] : memref<4xi32>
  %sum = arith.addi %v, %four : i32
  cf.br ^use
}
