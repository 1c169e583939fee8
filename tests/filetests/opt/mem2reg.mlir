// Variables of one element: in loops, tests, branches and switches; read before they are stored;
// and those that stay in memory.
// test: opt --mem2reg --canonicalize
// test: run-opt --entry=counts --arg=random:1[9] --arg=9
// test: run-opt --entry=counts --arg=random:1[9] --arg=0
// test: run-opt --entry=test_stores --arg=iota[9] --arg=7
// test: run-opt --entry=branches --arg=iota[9]
// test: run-opt --entry=before --arg=random:1
// test: run-opt --entry=affine --arg=random:1[9x5]
// test: run-opt --entry=in_parallel --arg=iota[9]
// test: run-opt --entry=stays --arg=iota[9] --arg=3

// A sum in a loop whose counter lies in memory.
func.func @counts(%a: memref<?xf32>, %n: i32) -> f32 {
  %sum = memref.alloca() : memref<f32>
  %at = memref.alloca() : memref<1xi32>
  %first = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  memref.store %zero, %sum[] : memref<f32>
  memref.store %start, %at[%first] : memref<1xi32>
  scf.while : () -> () {
    %i = memref.load %at[%first] : memref<1xi32>
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more)
  } do {
    %i = memref.load %at[%first] : memref<1xi32>
    %k = arith.index_cast %i : i32 to index
    %x = memref.load %a[%k] : memref<?xf32>
    %big = arith.cmpf ogt, %x, %zero : f32
    scf.if %big {
      %s = memref.load %sum[] : memref<f32>
      %t = arith.addf %s, %x : f32
      memref.store %t, %sum[] : memref<f32>
    }
    %next = arith.addi %i, %one : i32
    memref.store %next, %at[%first] : memref<1xi32>
    scf.yield
  }
  %r = memref.load %sum[] : memref<f32>
  return %r : f32
}

// What the test stores is read by the body and after the loop.
func.func @test_stores(%a: memref<9xf32>, %n: index) -> (index, index) {
  %i = memref.alloca() : memref<index>
  %twice = memref.alloca() : memref<index>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %v = arith.constant 5.0 : f32
  memref.store %zero, %i[] : memref<index>
  scf.while : () -> () {
    %x = memref.load %i[] : memref<index>
    %y = arith.addi %x, %x : index
    memref.store %y, %twice[] : memref<index>
    %more = arith.cmpi slt, %y, %n : index
    scf.condition(%more)
  } do {
    %t = memref.load %twice[] : memref<index>
    memref.store %v, %a[%t] : memref<9xf32>
    %x = memref.load %i[] : memref<index>
    %next = arith.addi %x, %one : index
    memref.store %next, %i[] : memref<index>
    scf.yield
  }
  %last = memref.load %i[] : memref<index>
  %t = memref.load %twice[] : memref<index>
  return %last, %t : index, index
}

// A switch stores in two of three cases; a region that runs once.
func.func @branches(%a: memref<9xf32>) {
  %kind = memref.alloca() : memref<f32>
  %flag = memref.alloca() : memref<i1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %no = arith.constant false
  %yes = arith.constant true
  memref.store %no, %flag[] : memref<i1>
  scf.for %i = %c0 to %c9 step %c1 {
    %case = arith.remui %i, %c3 : index
    %half = arith.constant 0.5 : f32
    memref.store %half, %kind[] : memref<f32>
    scf.index_switch %case
    case 1 {
      %k = arith.constant 10.0 : f32
      memref.store %k, %kind[] : memref<f32>
      scf.yield
    }
    default {
    }
    scf.execute_region {
      %set = memref.load %flag[] : memref<i1>
      scf.if %set {
        %k = memref.load %kind[] : memref<f32>
        %x = memref.load %a[%i] : memref<9xf32>
        %y = arith.addf %k, %x : f32
        memref.store %y, %a[%i] : memref<9xf32>
      } else {
        memref.store %yes, %flag[] : memref<i1>
      }
      scf.yield
    }
  }
  return
}

// What the iteration before has left, which the first one does not read.
func.func @before(%a: memref<9xf32>) {
  %last = memref.alloca() : memref<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %x = memref.load %a[%i] : memref<9xf32>
    %has = arith.cmpi sgt, %i, %c0 : index
    scf.if %has {
      %l = memref.load %last[] : memref<f32>
      %d = arith.subf %x, %l : f32
      memref.store %d, %a[%i] : memref<9xf32>
    }
    memref.store %x, %last[] : memref<f32>
  }
  return
}

// Affine loops and conditionals carry them as well.
func.func @affine(%a: memref<9x5xf32>) -> f32 {
  %best = memref.alloca() : memref<1xf32>
  %zero = arith.constant 0.0 : f32
  affine.store %zero, %best[0] : memref<1xf32>
  affine.for %i = 0 to 9 {
    %row = memref.alloca() : memref<f32>
    affine.store %zero, %row[] : memref<f32>
    affine.for %j = 0 to 5 {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        %x = affine.load %a[%i, %j] : memref<9x5xf32>
        %s = affine.load %row[] : memref<f32>
        %t = arith.addf %s, %x : f32
        affine.store %t, %row[] : memref<f32>
      }
    }
    %s = affine.load %row[] : memref<f32>
    %b = affine.load %best[0] : memref<1xf32>
    %m = arith.maximumf %s, %b : f32
    affine.store %m, %best[0] : memref<1xf32>
  }
  %r = affine.load %best[0] : memref<1xf32>
  return %r : f32
}

// A parallel loop may read a variable from outside, and have one in each iteration.
func.func @in_parallel(%a: memref<9xf32>) {
  %factor = memref.alloca() : memref<f32>
  %two = arith.constant 2.0 : f32
  memref.store %two, %factor[] : memref<f32>
  affine.parallel (%i) = (0) to (9) {
    %own = memref.alloca() : memref<f32>
    %x = affine.load %a[%i] : memref<9xf32>
    affine.store %x, %own[] : memref<f32>
    affine.for %k = 0 to 3 {
      %s = affine.load %own[] : memref<f32>
      %f = affine.load %factor[] : memref<f32>
      %t = arith.mulf %s, %f : f32
      affine.store %t, %own[] : memref<f32>
    }
    %y = affine.load %own[] : memref<f32>
    affine.store %y, %a[%i] : memref<9xf32>
  }
  return
}

// Stored in a parallel loop; passed to another operation; more than an element; another index than 0.
func.func @stays(%a: memref<9xf32>, %n: index) -> (f32, f32, f32, f32) {
  %shared = memref.alloca() : memref<f32>
  %passed = memref.alloca() : memref<1xf32>
  %two = memref.alloca() : memref<2xf32>
  %indexed = memref.alloca() : memref<1xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i) = (0) to (1) {
    affine.store %zero, %shared[] : memref<f32>
  }
  memref.store %zero, %passed[%c0] : memref<1xf32>
  %cast = memref.cast %passed : memref<1xf32> to memref<?xf32>
  %p = memref.load %cast[%c0] : memref<?xf32>
  memref.store %zero, %two[%c0] : memref<2xf32>
  %t = memref.load %two[%c0] : memref<2xf32>
  %at = arith.subi %n, %n : index
  memref.store %zero, %indexed[%at] : memref<1xf32>
  %k = memref.load %indexed[%c0] : memref<1xf32>
  %s = memref.load %shared[] : memref<f32>
  return %s, %p, %t, %k : f32, f32, f32, f32
}
