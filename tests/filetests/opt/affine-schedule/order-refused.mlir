// test: error opt "--affine-schedule=in @interchanged: interchange(i, j); in @backward: reverse(i); in @tiled: tile(i, j: 4, 4); in @apart: interchange(i, j#2); in @beside: interchange(j, k); in @unknown: reverse(x); in @band: reverse(p); in @forward: skew(j by -1*i); interchange(i, j)"
// exit: 1
// error: 1:19: step 'interchange(i, j)' is refused: the new order would violate a flow dependence of distance 1
// error: 1:52: step 'reverse(i)' is refused: the new order would violate a flow dependence of distance 1
// error: 1:75: step 'tile(i, j: 4, 4)' is refused: the new order would violate
// error: 1:104: step 'interchange(i, j#2)' is refused: 'j#2' is not nested perfectly in 'i': only 1 of the loops
// error: 1:137: step 'interchange(j, k)' is refused: the loops are not nested in each other
// error: 1:169: step 'reverse(x)' is refused: there is no loop 'x'; there are i, j
// error: 1:191: step 'reverse(p)' is refused: 'p' is a loop of affine.parallel
// error: 1:233: step 'interchange(i, j)' is refused: the new order would violate

// The dependence looks forward along i and backward along j.
func.func @interchanged(%a: memref<8x16xi32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 15 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<8x16xi32>
      affine.store %x, %a[%i, %j] : memref<8x16xi32>
    }
  }
  return
}

func.func @backward(%a: memref<8xi32>) {
  affine.for %i = 1 to 8 {
    %x = affine.load %a[%i - 1] : memref<8xi32>
    affine.store %x, %a[%i] : memref<8xi32>
  }
  return
}

func.func @tiled(%a: memref<8x16xi32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 15 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<8x16xi32>
      affine.store %x, %a[%i, %j] : memref<8x16xi32>
    }
  }
  return
}

// Two loops in i: none of them is all it does.
func.func @apart(%a: memref<8x8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
    affine.for %j = 0 to 8 {
      affine.store %x, %a[%j, %i] : memref<8x8xi32>
    }
  }
  return
}

func.func @beside(%a: memref<8x8xi32>, %x: i32) {
  affine.for %j = 0 to 8 {
    affine.store %x, %a[%j, 0] : memref<8x8xi32>
  }
  affine.for %k = 0 to 8 {
    affine.store %x, %a[0, %k] : memref<8x8xi32>
  }
  return
}

func.func @unknown(%a: memref<8x8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

func.func @band(%a: memref<8xi32>, %x: i32) {
  affine.parallel (%p) = (0) to (8) {
    affine.store %x, %a[%p] : memref<8xi32>
  }
  return
}

// Along j the dependence leads backward once it is skewed by -1. That does not matter while i is the
// outer loop: the second step is refused, and the first goes with it.
func.func @forward(%a: memref<8x8xi32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i - 1, %j] : memref<8x8xi32>
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}
