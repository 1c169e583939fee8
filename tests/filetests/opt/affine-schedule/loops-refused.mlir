// test: error opt "--affine-schedule=in @open: unroll(i: 4); in @short: unroll(i: 8); in @jammed: unroll-jam(i: 2); in @strips: strip-mine(i: 7); in @steps: strip-mine(i: 2); in @ragged: coalesce(i, j); in @imperfect: coalesce(i, j); in @outside: split(i at 9); in @beyond: split(j at i); in @ends: peel(i: 1); in @sums: split(i at 4)"
// exit: 1
// error: 1:11: step 'unroll(i: 4)' is refused: its number of iterations is not known
// error: 1:36: step 'unroll(i: 8)' is refused: it has only 6 iterations
// error: 1:62: step 'unroll-jam(i: 2)' is refused: the new order would violate a flow dependence of distance 1
// error: 1:92: step 'strip-mine(i: 7)' is refused: 7 does not divide its 40 iterations into strips
// error: 1:121: step 'strip-mine(i: 2)' is refused: only loops from 0 to a constant in steps of 1
// error: 1:151: step 'coalesce(i, j)' is refused: its trip count is not constant
// error: 1:182: step 'coalesce(i, j)' is refused: the loop around it has other statements
// error: 1:211: step 'split(i at 9)' is refused: the number it is split at is outside of its range
// error: 1:238: step 'split(j at i)' is refused: the counter it is split at is not known to be in its range
// error: 1:263: step 'peel(i: 1)' is refused: its bounds are not constant
// error: 1:285: step 'split(i at 4)' is refused: its step is not 1, or it carries values

func.func @open(%a: memref<?xi32>, %n: index, %x: i32) {
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xi32>
  }
  return
}

func.func @short(%a: memref<6xi32>, %x: i32) {
  affine.for %i = 0 to 6 {
    affine.store %x, %a[%i] : memref<6xi32>
  }
  return
}

// What one iteration reads the next one along j of the row before has still to write.
func.func @jammed(%a: memref<8x8xi32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 7 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<8x8xi32>
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

func.func @strips(%a: memref<40xi32>, %x: i32) {
  affine.for %i = 0 to 40 {
    affine.store %x, %a[%i] : memref<40xi32>
  }
  return
}

func.func @steps(%a: memref<40xi32>, %x: i32) {
  affine.for %i = 0 to 40 step 2 {
    affine.store %x, %a[%i] : memref<40xi32>
  }
  return
}

func.func @ragged(%a: memref<8x8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

func.func @imperfect(%a: memref<8x8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, %i] : memref<8x8xi32>
    affine.for %j = 0 to 8 {
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

func.func @outside(%a: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xi32>
  }
  return
}

func.func @beyond(%a: memref<8x8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 7 {
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

func.func @ends(%a: memref<?xi32>, %n: index, %x: i32) {
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xi32>
  }
  return
}

func.func @sums(%a: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %s = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> i32 {
    %x = affine.load %a[%i] : memref<8xi32>
    %t = arith.addi %acc, %x : i32
    affine.yield %t : i32
  }
  return %s : i32
}
