// With %s = 2^63 - 8 the upper bound i + s + 2 wraps around to below the lower one for i = 6 and 7: six iterations of
// the outer loop add 1 to the elements 0 and 1.
//
// test: run --arg=zeros --arg=9223372036854775800
// expect: arg 0 = [6, 6, 0, 0, 0, 0, 0, 0]
func.func @main(%a: memref<8xi32>, %s: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%s] to affine_map<(d0)[s0] -> (d0 + s0 + 2)>(%i)[%s] {
      %x = affine.load %a[%j - symbol(%s) - %i] : memref<8xi32>
      %c = arith.constant 1 : i32
      %y = arith.addi %x, %c : i32
      affine.store %y, %a[%j - symbol(%s) - %i] : memref<8xi32>
    }
  }
  return
}
