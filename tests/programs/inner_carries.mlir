// A dependence that forbids the inner loop and allows the outer one.
//     a[i, j] = a[i, j] + 0.5 * a[i, j - 1]     for 0 <= i < 30, 1 <= j < 37

func.func @inner_carries(%a: memref<30x37xf32>) {
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 30 {
    affine.for %j = 1 to 37 {
      %x = affine.load %a[%i, %j] : memref<30x37xf32>
      %y = affine.load %a[%i, %j - 1] : memref<30x37xf32>
      %u = arith.mulf %half, %y : f32
      %z = arith.addf %x, %u : f32
      affine.store %z, %a[%i, %j] : memref<30x37xf32>
    }
  }
  return
}
