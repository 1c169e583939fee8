// No iteration of the outer loop: that the inner one would go past the end is no matter.
// test: run --arg=iota[4] --arg=0 --arg=100
// expect: arg 0 = [0, 1, 2, 3]
func.func @main(%a: memref<?xf32>, %n: index, %m: index) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      affine.store %one, %a[%i + %j] : memref<?xf32>
    }
  }
  return
}
