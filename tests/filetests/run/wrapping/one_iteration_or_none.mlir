// A loop from %n to %n + 1 has one iteration, but none for %n = 2^63 - 1, where the upper bound wraps around. The loop
// inside another one, from %i to %i + 1, has one.
//
// test: run --arg=zeros --arg=9223372036854775807
// expect: arg 0 = [0, 3]
func.func @main(%a: memref<2xi32>, %n: index) {
  %one = arith.constant 1 : i32
  affine.for %i = %n to affine_map<()[s0] -> (s0 + 1)>()[%n] {
    affine.store %one, %a[0] : memref<2xi32>
  }
  affine.for %i = 0 to 3 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[1] : memref<2xi32>
      %y = arith.addi %x, %one : i32
      affine.store %y, %a[1] : memref<2xi32>
    }
  }
  return
}
