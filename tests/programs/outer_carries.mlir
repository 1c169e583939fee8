// A dependence that forbids the outer loop and allows the inner one.
//     a[i, j] = 0.5 * a[i - 1, j] + 0.25 * a[i - 2, j + 1]     for 2 <= i < 30, 0 <= j < 100

func.func @outer_carries(%a: memref<30x101xf32>) {
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  affine.for %i = 2 to 30 {
    affine.for %j = 0 to 100 {
      %x = affine.load %a[%i - 1, %j] : memref<30x101xf32>
      %y = affine.load %a[%i - 2, %j + 1] : memref<30x101xf32>
      %u = arith.mulf %half, %x : f32
      %v = arith.mulf %quarter, %y : f32
      %z = arith.addf %u, %v : f32
      affine.store %z, %a[%i, %j] : memref<30x101xf32>
    }
  }
  return
}
