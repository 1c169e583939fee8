// test: opt --affine-loop-hull
// Nests that stay as they are.

// The hull of a band along the diagonal is far larger.
func.func @diagonal(%a: memref<40x44xi32>) {
  %c7 = arith.constant 7 : i32
  affine.for %i = 0 to 40 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 5)>(%i) {
      affine.store %c7, %a[%i, %j] : memref<40x44xi32>
    }
  }
  return
}

// Steps of 2 from another start meet other counters.
func.func @steps(%a: memref<8x8xi32>) {
  %c7 = arith.constant 7 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 8 step 2 {
      affine.store %c7, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

// The inner loop is no grid: each iteration needs the one before.
func.func @running(%a: memref<8x9xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%i, %j] : memref<8x9xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %a[%i, %j + 1] : memref<8x9xi32>
    }
  }
  return
}

// A quotient of a counter is no multiple of it.
func.func @quotient(%a: memref<8x8xi32>) {
  %c7 = arith.constant 7 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 floordiv 2 + 1)>(%i) {
      affine.store %c7, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

// Something stands between the loops.
func.func @between(%a: memref<8x8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %b[%i] : memref<8xi32>
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

// Where %m is far below 0, the difference of a counter and a bound leaves 64 bits.
func.func @wraps(%a: memref<8x8xi32>, %m: index) {
  %c7 = arith.constant 7 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(d0)[s0] -> (d0 * 4611686018427387904 + s0)>(%i)[%m] to 8 {
      affine.store %c7, %a[%i, %j mod 8] : memref<8x8xi32>
    }
  }
  return
}
