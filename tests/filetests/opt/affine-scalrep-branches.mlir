// In a thread's loop, elements that branches load and store are carried as well: a branch that stores has one more result.
// test: opt --affine-scalrep

// Loaded in each iteration, stored in some; the other branch keeps it. The guard is for rows without columns.
// test: run-opt --entry=some --arg=random:1[7x9] --arg=random:2[7]
// test: run-opt --entry=some --arg=random:1[7x0] --arg=random:2[7]
func.func @some(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<?x?xf32>, memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %a = affine.load %0#0[%i, %j] : memref<?x?xf32>
      %b = affine.load %0#1[%i] : memref<?xf32>
      %c = arith.cmpf olt, %a, %b : f32
      scf.if %c {
        %d = arith.mulf %a, %b : f32
        affine.store %d, %0#1[%i] : memref<?xf32>
      }
    }
  }
  return
}

// Both branches store, one of them in a branch of its own, and what comes after loads what they leave; a branch has a result
// already.
// test: run-opt --entry=both --arg=random:1[7x9] --arg=zeros[7]
func.func @both(%x: memref<7x9xf32>, %y: memref<7xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<7x9xf32>, memref<7xf32>
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 7 {
    affine.store %half, %0#1[%i] : memref<7xf32>
    affine.for %j = 0 to 9 {
      %a = affine.load %0#0[%i, %j] : memref<7x9xf32>
      %c = arith.cmpf olt, %a, %half : f32
      %r = scf.if %c -> f32 {
        %b = affine.load %0#1[%i] : memref<7xf32>
        %d = arith.addf %a, %b : f32
        affine.store %d, %0#1[%i] : memref<7xf32>
        scf.yield %b : f32
      } else {
        affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%j) {
          affine.store %a, %0#1[%i] : memref<7xf32>
        }
        scf.yield %a : f32
      }
      %e = affine.load %0#1[%i] : memref<7xf32>
      %f = arith.mulf %e, %r : f32
      affine.store %f, %0#1[%i] : memref<7xf32>
    }
  }
  return
}

// Left in memory: where no row meets the condition, nothing may touch an element that may be out of range.
// test: run-opt --entry=may_be_missing --arg=iota[7x9] --arg=zeros[7]
func.func @may_be_missing(%x: memref<7x9xf32>, %y: memref<?xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<7x9xf32>, memref<?xf32>
  %high = arith.constant 1.0e3 : f32
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 9 {
      %a = affine.load %0#0[%i, %j] : memref<7x9xf32>
      %c = arith.cmpf ogt, %a, %high : f32
      scf.if %c {
        %b = affine.load %0#1[%i + 100] : memref<?xf32>
        %d = arith.addf %a, %b : f32
        affine.store %d, %0#1[%i + 100] : memref<?xf32>
      }
    }
  }
  return
}

// Left in memory: other iterations of the band may load the element, where the program says that these never store.
func.func @side_by_side(%x: memref<7x9xf32>, %y: memref<7xf32>, %z: memref<7xf32>) {
  %0:3 = memref.distinct_objects %x, %y, %z : memref<7x9xf32>, memref<7xf32>, memref<7xf32>
  affine.parallel (%i) = (0) to (7) {
    affine.for %j = 0 to 9 {
      %a = affine.load %0#0[%i, %j] : memref<7x9xf32>
      %b = affine.load %0#1[0] : memref<7xf32>
      %c = arith.cmpf ogt, %a, %b : f32
      scf.if %c {
        affine.store %a, %0#1[0] : memref<7xf32>
      }
    }
  }
  return
}

// Left in memory: the branch of another row's condition stores it too.
func.func @other_rows(%x: memref<7x9xf32>, %y: memref<8xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<7x9xf32>, memref<8xf32>
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 9 {
      %a = affine.load %0#0[%i, %j] : memref<7x9xf32>
      %b = affine.load %0#1[%i] : memref<8xf32>
      %c = arith.cmpf ogt, %a, %b : f32
      scf.if %c {
        affine.store %a, %0#1[%i + 1] : memref<8xf32>
      }
    }
  }
  return
}
