// test: explain --schedule

// A nest whose loop j is free goes outside; the second function has nothing to schedule.
func.func @columns(%a: memref<16x64xf32>) {
  affine.for %i = 1 to 16 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i - 1, %j] : memref<16x64xf32>
      affine.store %x, %a[%i, %j] : memref<16x64xf32>
    }
  }
  return
}

// Two nests of their own, in one loop that is written as one: rows of a sum, then a product.
func.func @apart(%a: memref<2x16x64xf32>, %x: f32) {
  affine.for %i = 0 to 16 {
    affine.store %x, %a[0, %i, 0] : memref<2x16x64xf32>
    affine.for %j = 0 to 64 {
      %y = affine.load %a[1, %i, %j] : memref<2x16x64xf32>
      %z = arith.mulf %y, %x : f32
      affine.store %z, %a[1, %i, %j] : memref<2x16x64xf32>
    }
  }
  return
}

// Neither scalar replacement nor the privatization of a caller's element is a step.
func.func @carried(%a: memref<64xf32>, %s: memref<1xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %s[0] : memref<1xf32>
    %y = affine.load %s[0] : memref<1xf32>
    affine.store %y, %a[%i] : memref<64xf32>
  }
  return
}
