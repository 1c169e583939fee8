// The counter goes from -2^63 in steps of 2^62: -2^63, -2^62, 0, 2^62. Its distance to the bound does not fit 64 bits.
// Divided by 2^62 these are -2, -1, 0, 1.
//
// test: run --arg=zeros
// expect: arg 0 = [7, 7, 7, 7, 0, 0, 0, 0]
func.func @main(%a: memref<8xi32>) {
  %c = arith.constant 7 : i32
  affine.for %i = -9223372036854775808 to 9223372036854775807 step 4611686018427387904 {
    affine.store %c, %a[%i floordiv 4611686018427387904 + 2] : memref<8xi32>
  }
  return
}
