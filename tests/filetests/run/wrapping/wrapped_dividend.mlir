// With %s = 2^63 - 1, i + s is 2^63 - 1 for i = 0, and -2^63, -2^63 + 1 for i = 1, 2. Divided by 2^62, rounding down,
// these are 1, -2, -2: a[3] = 1, a[0] = 2, a[0] = 3, in that order.
//
// test: run --arg=zeros --arg=9223372036854775807
// expect: arg 0 = [3, 0, 0, 1]
func.func @main(%a: memref<4xi32>, %s: index) {
  affine.for %i = 0 to 3 {
    %n = arith.index_cast %i : index to i32
    %one = arith.constant 1 : i32
    %v = arith.addi %n, %one : i32
    affine.store %v, %a[(%i + symbol(%s)) floordiv 4611686018427387904 + 2] : memref<4xi32>
  }
  return
}
