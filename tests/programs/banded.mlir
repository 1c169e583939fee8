// A banded matrix times a vector: `max` below and `min` above.
//     y[i] = sum over j of a[i, j] * x[j]     for 0 <= i < 40, max(0, i-3) <= j < min(40, i+3)

func.func @banded(%a: memref<40x40xf32>, %x: memref<40xf32>, %y: memref<40xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 40 {
    %dot = affine.for %j = max affine_map<(d0) -> (0, d0 - 3)>(%i)
                         to min affine_map<(d0) -> (40, d0 + 3)>(%i)
                         iter_args(%partial = %zero) -> (f32) {
      %aij = affine.load %a[%i, %j] : memref<40x40xf32>
      %xj = affine.load %x[%j] : memref<40xf32>
      %product = arith.mulf %aij, %xj : f32
      %sum = arith.addf %partial, %product : f32
      affine.yield %sum : f32
    }
    affine.store %dot, %y[%i] : memref<40xf32>
  }
  return
}
