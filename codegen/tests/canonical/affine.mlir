// test: canonical
func.func private @at(index)

func.func @constants() -> (index, index, index, index, index) {
  %c7 = arith.constant 7 : index
  %c3 = arith.constant -3 : index
  %0 = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 floordiv 2)>(%c7, %c3)
  %1 = affine.min affine_map<(d0)[s0] -> (d0 mod 4, s0 + 10)>(%c7)[%c3]
  %2 = affine.max affine_map<(d0)[s0] -> (d0 ceildiv 2, s0)>(%c7)[%c3]
  %3:2 = affine.delinearize_index %c7 into (2, 4) : index, index
  return %0, %1, %2, %3#0, %3#1 : index, index, index, index, index
}

func.func @indices(%x: index, %y: index, %n: index) -> (index, index, index, index) {
  %0:2 = affine.delinearize_index %x into (%n, 8) : index, index
  %1 = affine.linearize_index [%0#0, %0#1] by (%n, 8) : index
  %2 = affine.linearize_index disjoint [%x, %y] by (%n, 8) : index
  %3:2 = affine.delinearize_index %2 into (%n, 8) : index, index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %4 = affine.linearize_index [%c2, %c3] by (4, 8) : index
  return %1, %3#0, %3#1, %4 : index, index, index, index
}

// differs: @loops: a loop that never runs goes
func.func @loops(%m: memref<8xf32>, %v: f32) {
  affine.for %i = 4 to 4 {
    affine.store %v, %m[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
  }
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  affine.for %i = %c0 to %c8 {
    affine.store %v, %m[%i] : memref<8xf32>
  }
  return
}

// differs: @conditions: a condition that is known is none
func.func @conditions(%n: index, %m: memref<8xf32>, %v: f32) {
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (d0 - d0 >= 0)>(%i) {
      affine.store %v, %m[%i] : memref<8xf32>
    }
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
      affine.store %v, %m[%i] : memref<8xf32>
    } else {
    }
    affine.if affine_set<(d0) : (d0 - d0 - 1 >= 0)>(%i) {
      affine.store %v, %m[%i] : memref<8xf32>
    }
  }
  return
}

func.func @subscripts(%m: memref<64xf32>, %v: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%i, %j)
      affine.store %v, %m[%k] : memref<64xf32>
    }
  }
  return
}

func.func @bounds(%n: index) {
  affine.for %i = 0 to 8 {
    %lo = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    affine.for %j = max affine_map<(d0, d1) -> (d0, d1, 3)>(%lo, %lo) to 10 {
      func.call @at(%j) : (index) -> ()
    }
  }
  return
}

func.func @one_result(%n: index) -> index {
  %0 = affine.min affine_map<(d0) -> (d0 + 1)>(%n)
  return %0 : index
}
