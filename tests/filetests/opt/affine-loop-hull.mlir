// test: opt --affine-loop-hull
// test: run-opt --entry=below --arg=iota --arg=zeros
// test: run-opt --entry=above --arg=iota[9x5] --arg=zeros[9x9]
// test: run-opt --entry=above --arg=iota[0x5] --arg=zeros[0x0]
// test: run-opt --entry=tetrahedron --arg=zeros
// test: run-opt --entry=steps --arg=zeros
// test: run-opt --entry=trapezoid --arg=zeros --arg=3
// test: run-opt --entry=in_host_loop --arg=iota
// test: run-opt --entry=constant_behind --arg=iota

// The lower triangle of a product.
func.func @below(%a: memref<7x5xi32>, %c: memref<7x7xi32>) {
  %0:2 = memref.distinct_objects %a, %c : memref<7x5xi32>, memref<7x7xi32>
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.for %k = 0 to 5 {
        %x = affine.load %0#0[%i, %k] : memref<7x5xi32>
        %y = affine.load %0#0[%j, %k] : memref<7x5xi32>
        %p = arith.muli %x, %y : i32
        %o = affine.load %0#1[%i, %j] : memref<7x7xi32>
        %s = arith.addi %o, %p : i32
        affine.store %s, %0#1[%i, %j] : memref<7x7xi32>
      }
    }
  }
  return
}

// The upper one, of a size that is open.
func.func @above(%a: memref<?x5xi32>, %c: memref<?x?xi32>) {
  %0:2 = memref.distinct_objects %a, %c : memref<?x5xi32>, memref<?x?xi32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x5xi32>
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
      affine.for %k = 0 to 5 {
        %x = affine.load %0#0[%i, %k] : memref<?x5xi32>
        %y = affine.load %0#0[%j, %k] : memref<?x5xi32>
        %p = arith.muli %x, %y : i32
        %o = affine.load %0#1[%i, %j] : memref<?x?xi32>
        %s = arith.addi %o, %p : i32
        affine.store %s, %0#1[%i, %j] : memref<?x?xi32>
      }
    }
  }
  return
}

// Each bound is asked at the ends of both loops around it.
func.func @tetrahedron(%a: memref<6x6x12xi32>) {
  %c7 = arith.constant 7 : i32
  affine.for %i = 0 to 6 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 6 {
      affine.for %k = 0 to affine_map<(d0, d1) -> (d0 + d1 + 1)>(%i, %j) {
        affine.store %c7, %a[%i, %j, %k] : memref<6x6x12xi32>
      }
    }
  }
  return
}

// Only the upper bound moves, so the steps meet the same counters.
func.func @steps(%a: memref<9x20xi32>) {
  %c7 = arith.constant 7 : i32
  affine.for %i = 0 to 9 {
    affine.for %j = 1 to affine_map<(d0) -> (d0 * 2 + 2)>(%i) step 3 {
      affine.store %c7, %a[%i, %j] : memref<9x20xi32>
    }
  }
  return
}

// Of two upper bounds the one that varies goes into the test, and both bound the hull.
func.func @trapezoid(%a: memref<9x9xi32>, %n: index) {
  %c7 = arith.constant 7 : i32
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to min affine_map<(d0)[s0] -> (d0 + 1, s0)>(%i)[%n] {
      affine.store %c7, %a[%i, %j] : memref<9x9xi32>
    }
  }
  return
}

// The trailing part of a matrix: what depends on a loop around the nest stays in the bounds.
func.func @in_host_loop(%a: memref<8x8xi32>) {
  affine.for %k = 0 to 8 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 8 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %a[%i, %k] : memref<8x8xi32>
        %y = affine.load %a[%j, %k] : memref<8x8xi32>
        %p = arith.muli %x, %y : i32
        %o = affine.load %a[%i, %j] : memref<8x8xi32>
        %s = arith.subi %o, %p : i32
        affine.store %s, %a[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}

// A constant that stands behind a statement comes before the test.
func.func @constant_behind(%a: memref<7x7xi32>) {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%i, %j] : memref<7x7xi32>
      %c3 = arith.constant 3 : i32
      %y = arith.muli %x, %c3 : i32
      affine.store %y, %a[%i, %j] : memref<7x7xi32>
    }
  }
  return
}
