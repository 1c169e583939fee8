// Loops over tiles and over the points of a tile, joined or left as they are.
// test: opt --affine-loop-untile
// test: run-opt --entry=product --arg=ones[5x3] --arg=ones[3x7] --arg=zeros[5x7] --arg=5 --arg=7 --arg=3
// expect: arg 2 = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]
// test: run-opt --entry=from_zero --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 1, 4, 2, 5]
// test: run-opt --entry=levels --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
// test: run-opt --entry=rounded_up --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
// test: run-opt --entry=by_twos --arg=zeros
// expect: arg 0 = [0, 0, 2, 0, 4, 0, 6, 0]
// test: run-opt --entry=triangle --arg=zeros
// expect: arg 0 = [1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1]
// test: run-opt --entry=in_place --arg=ones
// expect: arg 0 = [1, 1, 1, 1, 1, 2, 3, 4, 1, 3, 6, 10, 1, 4, 10, 20]
// test: run-opt --entry=gaps --arg=zeros
// expect: arg 0 = [0, 1, 0, 0, 4, 5, 0, 0]
// test: run-opt --entry=counted --arg=zeros
// expect: arg 0 = [0, 0, 2, 2, 4, 4]
// test: run-opt --entry=torn --arg=zeros
// expect: arg 0 = [0, 1, 2, 2, 3, 4]

// All three pairs; those of rows and columns are apart, but free.
func.func @product(%a: memref<?x?xi32>, %b: memref<?x?xi32>, %c: memref<?x?xi32>, %m: index, %n: index, %p: index) {
  affine.for %ti = 0 to %m step 4 {
    affine.for %tj = 0 to %n step 4 {
      affine.for %tk = 0 to %p step 4 {
        affine.for %i = affine_map<(d0) -> (d0)>(%ti) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%ti)[%m] {
          affine.for %j = affine_map<(d0) -> (d0)>(%tj) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%tj)[%n] {
            affine.for %k = affine_map<(d0) -> (d0)>(%tk) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%tk)[%p] {
              %x = affine.load %a[%i, %k] : memref<?x?xi32>
              %y = affine.load %b[%k, %j] : memref<?x?xi32>
              %z = affine.load %c[%i, %j] : memref<?x?xi32>
              %xy = arith.muli %x, %y : i32
              %s = arith.addi %z, %xy : i32
              affine.store %s, %c[%i, %j] : memref<?x?xi32>
            }
          }
        }
      }
    }
  }
  return
}

// Points that count from 0 in each tile.
func.func @from_zero(%a: memref<2x3xi32>, %r: memref<3x2xi32>) {
  affine.for %ti = 0 to 2 step 2 {
    affine.for %tj = 0 to 3 step 2 {
      affine.for %i = 0 to 2 {
        affine.for %j = 0 to min affine_map<(d0) -> (2, -d0 + 3)>(%tj) {
          %v = affine.load %a[%ti + %i, %tj + %j] : memref<2x3xi32>
          affine.store %v, %r[%tj + %j, %ti + %i] : memref<3x2xi32>
        }
      }
    }
  }
  return
}

// Tiles of tiles.
func.func @levels(%r: memref<10xindex>) {
  affine.for %t = 0 to 10 step 6 {
    affine.for %u = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 6, 10)>(%t) step 2 {
      affine.for %i = affine_map<(d0) -> (d0)>(%u) to min affine_map<(d0) -> (d0 + 2, 10)>(%u) {
        affine.store %i, %r[%i] : memref<10xindex>
      }
    }
  }
  return
}

// The last tile goes beyond the bound of the tiles.
func.func @rounded_up(%r: memref<12xindex>) {
  affine.for %t = 0 to 10 step 4 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 4)>(%t) {
      affine.store %i, %r[%i] : memref<12xindex>
    }
  }
  return
}

func.func @by_twos(%r: memref<8xindex>) {
  affine.for %t = 0 to 8 step 4 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 4)>(%t) step 2 {
      affine.store %i, %r[%i] : memref<8xindex>
    }
  }
  return
}

// Only the rows have tiles; where a row ends depends on its number.
func.func @triangle(%r: memref<4x4xi32>) {
  %one = arith.constant 1 : i32
  affine.for %t = 0 to 4 step 2 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 2)>(%t) {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        affine.store %one, %r[%i, %j] : memref<4x4xi32>
      }
    }
  }
  return
}

// Stay: each point needs those above it and before it, and the pairs are apart.
func.func @in_place(%r: memref<4x4xi32>) {
  affine.for %ti = 1 to 4 step 3 {
    affine.for %tj = 1 to 4 step 3 {
      affine.for %i = affine_map<(d0) -> (d0)>(%ti) to affine_map<(d0) -> (d0 + 3)>(%ti) {
        affine.for %j = affine_map<(d0) -> (d0)>(%tj) to affine_map<(d0) -> (d0 + 3)>(%tj) {
          %x = affine.load %r[%i - 1, %j] : memref<4x4xi32>
          %y = affine.load %r[%i, %j - 1] : memref<4x4xi32>
          %s = arith.addi %x, %y : i32
          affine.store %s, %r[%i, %j] : memref<4x4xi32>
        }
      }
    }
  }
  return
}

// Stays: the points of a tile are fewer than its step.
func.func @gaps(%r: memref<8xindex>) {
  affine.for %t = 0 to 8 step 4 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 2)>(%t) {
      affine.store %i, %r[%i] : memref<8xindex>
    }
  }
  return
}

// Stays: the number of the tile is used.
func.func @counted(%r: memref<6xindex>) {
  affine.for %t = 0 to 6 step 2 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 2)>(%t) {
      affine.store %t, %r[%i] : memref<6xindex>
    }
  }
  return
}

// Stays: the sum of both counters is not all that is used.
func.func @torn(%r: memref<6xindex>) {
  affine.for %t = 0 to 6 step 3 {
    affine.for %i = 0 to 3 {
      %x = affine.apply affine_map<(d0, d1) -> (d0 floordiv 3 * 2 + d1)>(%t, %i)
      affine.store %x, %r[%t + %i] : memref<6xindex>
    }
  }
  return
}
