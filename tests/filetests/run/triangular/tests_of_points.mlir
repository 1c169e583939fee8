// Conditions around the body of a nest that say which of its iterations there are, as programs write
// them, and what may not run for points outside.
// test: run --entry=quotients --arg=iota --arg=ones --arg=zeros
// test: run --entry=two_constraints --arg=random:1 --arg=random:2 --arg=13
// test: run --entry=two_constraints --arg=random:1 --arg=random:2 --arg=-200
// test: run --entry=rows_only --arg=random:1 --arg=random:2
// test: run --entry=box_of_three --arg=random:1
// test: run --entry=shrinking --arg=random:1 --arg=random:2
// test: run --map-for=gpu --entry=quotients --arg=iota --arg=ones --arg=zeros
// test: run --map-for=gpu --entry=two_constraints --arg=random:1 --arg=random:2 --arg=13
// test: run --map-for=gpu --entry=box_of_three --arg=random:1

// A quotient by what is zero above the diagonal: points run one by one.
func.func @quotients(%a: memref<50x20xi32>, %b: memref<50x20xi32>, %c: memref<50x50xi32>) {
  affine.for %i = 0 to 50 {
    affine.for %j = 0 to 50 {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        %d = affine.apply affine_map<(d0, d1) -> (d0 - d1 + 1)>(%i, %j)
        %by = arith.index_cast %d : index to i32
        affine.for %k = 0 to 20 {
          %x = affine.load %a[%i, %k] : memref<50x20xi32>
          %y = affine.load %b[%j, %k] : memref<50x20xi32>
          %p = arith.muli %x, %y : i32
          %q = arith.divsi %p, %by : i32
          %o = affine.load %c[%i, %j] : memref<50x50xi32>
          %s = arith.addi %o, %q : i32
          affine.store %s, %c[%i, %j] : memref<50x50xi32>
        }
      }
    }
  }
  return
}

// A band of a matrix, as wide as an argument says.
func.func @two_constraints(%a: memref<75x33xf32>, %c: memref<75x75xf32>, %w: index) {
  affine.for %i = 0 to 75 {
    affine.for %j = 0 to 75 {
      affine.if affine_set<(d0, d1)[s0] : (d0 - d1 + s0 >= 0, d1 * 2 - d0 - 5 >= 0)>(%i, %j)[%w] {
        affine.for %k = 0 to 33 {
          %x = affine.load %a[%i, %k] : memref<75x33xf32>
          %y = affine.load %a[%j, %k] : memref<75x33xf32>
          %p = arith.mulf %x, %y : f32
          %o = affine.load %c[%i, %j] : memref<75x75xf32>
          %s = arith.addf %o, %p : f32
          affine.store %s, %c[%i, %j] : memref<75x75xf32>
        }
      }
    }
  }
  return
}

// The condition is one of the rows alone.
func.func @rows_only(%a: memref<60x33xf32>, %c: memref<60x44xf32>) {
  affine.for %i = 0 to 60 {
    affine.for %j = 0 to 44 {
      affine.if affine_set<(d0) : (d0 - 13 >= 0)>(%i) {
        affine.for %k = 0 to 33 {
          %x = affine.load %a[%i - 13, %k] : memref<60x33xf32>
          %y = affine.load %a[%j, %k] : memref<60x33xf32>
          %p = arith.mulf %x, %y : f32
          %o = affine.load %c[%i, %j] : memref<60x44xf32>
          %s = arith.addf %o, %p : f32
          affine.store %s, %c[%i, %j] : memref<60x44xf32>
        }
      }
    }
  }
  return
}

// Three loops in a constraint, without a loop in the body.
func.func @box_of_three(%a: memref<20x24x28xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 3)>(%i) {
      affine.for %k = affine_map<(d0) -> (d0)>(%j) to 28 {
        %x = affine.load %a[%i, %j, %k] : memref<20x24x28xf32>
        %s = arith.addf %x, %x : f32
        affine.store %s, %a[%i, %j, %k] : memref<20x24x28xf32>
      }
    }
  }
  return
}

// A row is longer the further down it is, and what it sums is shorter.
func.func @shrinking(%a: memref<61x61xf32>, %c: memref<61x61xf32>) {
  affine.for %i = 0 to 61 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.for %k = affine_map<(d0) -> (d0)>(%i) to 61 {
        %x = affine.load %a[%k, %i] : memref<61x61xf32>
        %y = affine.load %a[%k, %j] : memref<61x61xf32>
        %p = arith.mulf %x, %y : f32
        %o = affine.load %c[%i, %j] : memref<61x61xf32>
        %s = arith.addf %o, %p : f32
        affine.store %s, %c[%i, %j] : memref<61x61xf32>
      }
    }
  }
  return
}
