// The least integer divided upwards: its negation is no number of 64 bits.
// test: run --arg=zeros --arg=-9223372036854775808
// test: roundtrip
// expect: arg 0 = [0, 0, 7, 0]
func.func @main(%a: memref<4xi32>, %s: index) {
  %c = arith.constant 7 : i32
  affine.store %c, %a[%s ceildiv 2 + 4611686018427387906] : memref<4xi32>
  return
}
