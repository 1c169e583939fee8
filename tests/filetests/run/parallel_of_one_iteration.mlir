// A band of at most one iteration, which adds to one element.
//     a[0] = a[0] + 1 where n > 0
//
// test: run --arg=iota --arg=5
// expect: arg 0 = [1, 1, 2, 3]
func.func @main(%a: memref<4xi32>, %n: index) {
  %one = arith.constant 1 : i32
  affine.parallel (%i) = (0) to (min(1, %n)) {
    %x = affine.load %a[0] : memref<4xi32>
    %y = arith.addi %x, %one : i32
    affine.store %y, %a[0] : memref<4xi32>
  }
  return
}
