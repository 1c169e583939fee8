// The inner loop has no iterations, although %n - 1 wraps around to 2^63 - 1: the element out of range, which it would
// touch, is not touched.
//
// test: run --arg=zeros --arg=-9223372036854775808
// expect: arg 0 = [0, 0, 0, 0]
func.func @main(%a: memref<4xi32>, %n: index) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 4 {
    affine.for %k = 0 to %n {
      %x = affine.load %a[%i + 4] : memref<4xi32>
      %y = arith.addi %x, %one : i32
      affine.store %y, %a[%i + 4] : memref<4xi32>
    }
  }
  return
}
