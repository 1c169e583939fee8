// test: opt --affine-simplify-structures
// test: run-opt --entry=values --arg=zeros
// expect: arg 0 = [1, 2, 3, 4]
// test: run-opt --entry=maps --arg=random:1 --arg=5
// test: run-opt --entry=branches --arg=zeros --arg=3
// test: run-opt --entry=branches --arg=zeros --arg=20
// test: run-opt --entry=transfer --arg=random:1 --arg=random:2
// test: run-opt --entry=implied --arg=zeros
// test: run-opt --entry=nested --arg=zeros --arg=7
// test: run-opt --entry=wide --arg=zeros --arg=9223372036854775807

// Remainders and quotients that ranges decide, operands that are there twice or unused.
func.func @maps(%a: memref<100x40xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 32 {
      %x = affine.load %a[(%i * 32 + %j) floordiv 32, (%i * 32 + %j) mod 32] : memref<100x40xf32>
      %k = affine.apply affine_map<(d0, d1)[s0, s1] -> (d0 * 2 - d1 + s0 - s1 + 1)>(%i, %i)[%n, %n]
      affine.store %x, %a[%k + 20, %j mod 40] : memref<100x40xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0 floordiv 8)>(%i) to affine_map<(d0, d1) -> (d0 * 4 - d1 * 4 + 3)>(%i, %i) {
      %y = affine.load %a[%j, %i] : memref<100x40xf32>
      affine.store %y, %a[%i, %j] : memref<100x40xf32>
    }
  }
  return
}

// Never true, always true, in part.
func.func @branches(%a: memref<16xi32>, %n: index) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  affine.for %i = 0 to 16 {
    affine.if affine_set<(d0) : (d0 - 16 >= 0)>(%i) {
      affine.store %c1, %a[%i] : memref<16xi32>
    } else {
      affine.store %c2, %a[%i] : memref<16xi32>
    }
    affine.if affine_set<(d0) : (d0 >= 0, 15 - d0 >= 0)>(%i) {
      affine.store %c1, %a[%i] : memref<16xi32>
    }
    affine.for %j = 0 to 16 {
      affine.if affine_set<(d0, d1) : (d0 * 2 - d1 * 2 - 1 == 0)>(%i, %j) {
        affine.store %c2, %a[%j] : memref<16xi32>
      }
      affine.if affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d0 + 5 >= 0, d0 - d1 == 0)>(%i, %j)[%n] {
        affine.store %c2, %a[%j] : memref<16xi32>
      }
    }
  }
  return
}

// The branch that runs gives the value.
func.func @values(%a: memref<4xi32>) {
  affine.for %i = 0 to 4 {
    %x = affine.if affine_set<(d0) : (3 - d0 >= 0)>(%i) -> i32 {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %y = arith.index_cast %k : index to i32
      affine.yield %y : i32
    } else {
      %y = arith.constant 7 : i32
      affine.yield %y : i32
    }
    affine.store %x, %a[%i] : memref<4xi32>
  }
  return
}

// The difference of the sizes may wrap around, so that nothing follows from it.
func.func @nested(%a: memref<16xi32>, %n: index) {
  %c1 = arith.constant 1 : i32
  affine.for %i = 0 to 16 {
    affine.if affine_set<(d0)[s0] : (s0 - d0 >= 0)>(%i)[%n] {
      affine.if affine_set<(d0)[s0] : (s0 - d0 + 3 >= 0)>(%i)[%n] {
        affine.store %c1, %a[%i] : memref<16xi32>
      } else {
        affine.store %c1, %a[0] : memref<16xi32>
      }
    } else {
      affine.if affine_set<(d0)[s0] : (d0 - s0 - 1 >= 0)>(%i)[%n] {
        affine.store %c1, %a[%i] : memref<16xi32>
      }
    }
  }
  return
}

// The condition inside follows from that around it, which follows from nothing.
func.func @implied(%a: memref<16xi32>) {
  %c1 = arith.constant 1 : i32
  affine.for %n = 0 to 20 {
    affine.for %i = 0 to 16 {
      affine.if affine_set<(d0, d1) : (d1 - d0 >= 0)>(%i, %n) {
        affine.if affine_set<(d0, d1) : (d1 - d0 + 3 >= 0)>(%i, %n) {
          affine.store %c1, %a[%i] : memref<16xi32>
        } else {
          affine.store %c1, %a[0] : memref<16xi32>
        }
      } else {
        affine.if affine_set<(d0, d1) : (d0 - d1 - 1 >= 0)>(%i, %n) {
          affine.store %c1, %a[15 - %i] : memref<16xi32>
        }
      }
    }
  }
  return
}

// Twice %n wraps around, so that its quotient by 2 is not %n and its sign not that of %n.
func.func @wide(%a: memref<2xindex>, %n: index) {
  %k = affine.apply affine_map<()[s0] -> ((s0 * 2 + 4) floordiv 4)>()[%n]
  affine.store %k, %a[0] : memref<2xindex>
  affine.if affine_set<()[s0] : (s0 - 1 >= 0, s0 * 2 >= 0)>()[%n] {
    affine.store %k, %a[1] : memref<2xindex>
  }
  return
}

// Maps among other operands: bounds of a band, places of a transfer.
func.func @transfer(%a: memref<8x4xf32>, %b: memref<8x4xf32>) {
  %c4 = arith.constant 4 : index
  %f = memref.alloc() : memref<4xf32, 1>
  %t = memref.alloc() : memref<2xi32>
  affine.for %i = 0 to 8 {
    affine.dma_start %a[(%i * 4 + 3) floordiv 4, %i floordiv 8], %f[%i - %i], %t[(%i * 2 + 1) mod 2], %c4 : memref<8x4xf32>, memref<4xf32, 1>, memref<2xi32>
    affine.dma_wait %t[(%i * 2 + 1) mod 2], %c4 : memref<2xi32>
    affine.parallel (%j) = (%i floordiv 8) to (%i - %i + 4) {
      %x = affine.load %f[%j] : memref<4xf32, 1>
      affine.store %x, %b[%i, %j] : memref<8x4xf32>
    }
  }
  memref.dealloc %t : memref<2xi32>
  memref.dealloc %f : memref<4xf32, 1>
  return
}
