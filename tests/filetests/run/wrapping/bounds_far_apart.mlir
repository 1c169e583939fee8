// From 2^63 - 1 to -2^63 there are no iterations, although the difference of the bounds wraps around to 1.
//
// test: run --arg=zeros --arg=9223372036854775807 --arg=-9223372036854775808
// expect: arg 0 = [0, 0, 0, 0]
func.func @main(%a: memref<4xi32>, %s: index, %n: index) {
  %one = arith.constant 1 : i32
  affine.for %i = %s to %n {
    affine.store %one, %a[%i - symbol(%s)] : memref<4xi32>
  }
  return
}
