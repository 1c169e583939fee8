// test: opt --affine-mark-inbounds

// The sum may wrap around, so nothing is known of what it is divided to: no mark.
func.func @quotient(%a: memref<4xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  affine.for %i = -3 to 4 {
    affine.store %z, %a[(%i + symbol(%n)) floordiv 2] : memref<4xf32>
  }
  return
}

func.func @remainder(%a: memref<1xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  affine.for %i = -3 to 4 {
    affine.store %z, %a[(%i + symbol(%n)) mod 3] : memref<1xf32>
  }
  return
}

// One index out of two is known; the other decides.
func.func @one_of_two(%a: memref<8x1xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %z, %a[%i, (%i + symbol(%n)) floordiv 2] : memref<8x1xf32>
  }
  return
}

// An access without an index is in range.
func.func @scalar(%a: memref<f32>) {
  %z = arith.constant 0.0 : f32
  affine.store %z, %a[] : memref<f32>
  return
}
