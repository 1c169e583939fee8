// test: run --arg=iota --arg=zeros
// expect: arg 1 = [28, 28]
// test: roundtrip
// The element %y[1] becomes a carried value of a new loop, whose result stands in another block.
func.func @promoted_loop_used_in_a_later_block(%x: memref<8xi32>, %y: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  %total = affine.for %i = 0 to 8 iter_args(%sum = %zero) -> (i32) {
    %v = affine.load %x[%i] : memref<8xi32>
    %old = affine.load %y[1] : memref<2xi32>
    %new = arith.addi %old, %v : i32
    affine.store %new, %y[1] : memref<2xi32>
    %next = arith.addi %sum, %v : i32
    affine.yield %next : i32
  }
  cf.br ^use
^use:
  affine.store %total, %y[0] : memref<2xi32>
  return
}
