// test: run
// atax: y = transposed A times (A times x), as PolyBench writes it: one nest for both products.
func.func @atax(%A: memref<38x42xf32>, %x: memref<42xf32>, %y: memref<42xf32>, %tmp: memref<38xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 42 {
    affine.store %zero, %y[%i] : memref<42xf32>
  }
  affine.for %i = 0 to 38 {
    affine.store %zero, %tmp[%i] : memref<38xf32>
    affine.for %j = 0 to 42 {
      %t = affine.load %tmp[%i] : memref<38xf32>
      %a = affine.load %A[%i, %j] : memref<38x42xf32>
      %xj = affine.load %x[%j] : memref<42xf32>
      %ax = arith.mulf %a, %xj : f32
      %t1 = arith.addf %t, %ax : f32
      affine.store %t1, %tmp[%i] : memref<38xf32>
    }
    affine.for %j = 0 to 42 {
      %yj = affine.load %y[%j] : memref<42xf32>
      %a = affine.load %A[%i, %j] : memref<38x42xf32>
      %t = affine.load %tmp[%i] : memref<38xf32>
      %at = arith.mulf %a, %t : f32
      %y1 = arith.addf %yj, %at : f32
      affine.store %y1, %y[%j] : memref<42xf32>
    }
  }
  return
}
