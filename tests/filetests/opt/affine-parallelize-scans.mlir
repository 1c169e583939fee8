// test: opt --affine-parallelize-scans=target=cpu
// test: run-opt --entry=inclusive --arg=random:1 --arg=random:1 --arg=3
// test: run-opt --entry=exclusive --arg=random:1[9] --arg=3
// test: run-opt --entry=left_alone --arg=random:1 --arg=random:1 --arg=3

// The sum after each element; the last one is used.
func.func @inclusive(%x: memref<10000xi32>, %y: memref<10000xi32>, %from: i32) -> i32 {
  %x_apart, %y_apart = memref.distinct_objects %x, %y : memref<10000xi32>, memref<10000xi32>
  %last = affine.for %i = 0 to 10000 iter_args(%acc = %from) -> i32 {
    %v = affine.load %x_apart[%i] : memref<10000xi32>
    %n = arith.addi %acc, %v : i32
    affine.store %n, %y_apart[%i] : memref<10000xi32>
    affine.yield %n : i32
  }
  return %last : i32
}

// The greatest square before each element, in place, every other element.
func.func @exclusive(%x: memref<?xi32>, %m: i32) {
  %none = arith.constant 0 : i32
  %n = arith.index_cast %m : i32 to index
  affine.for %i = 1 to %n step 2 iter_args(%acc = %none) -> i32 {
    %v = affine.load %x[%i] : memref<?xi32>
    %s = arith.muli %v, %v : i32
    affine.store %acc, %x[%i] : memref<?xi32>
    %most = arith.maxsi %s, %acc : i32
    affine.yield %most : i32
  }
  return
}

// Left alone: a square of the value, a term that the iteration has
// stored before, a reduction, a short one, and one in a parallel loop.
func.func @left_alone(%x: memref<10000xi32>, %y: memref<8x10000xi32>, %s: i32) {
  affine.for %i = 0 to 10000 iter_args(%acc = %s) -> i32 {
    %v = affine.load %x[%i] : memref<10000xi32>
    %p = arith.muli %acc, %acc : i32
    %n = arith.addi %v, %p : i32
    affine.store %n, %x[%i] : memref<10000xi32>
    affine.yield %n : i32
  }
  affine.for %i = 0 to 10000 iter_args(%acc = %s) -> i32 {
    affine.store %acc, %x[%i] : memref<10000xi32>
    %v = affine.load %x[%i] : memref<10000xi32>
    %n = arith.addi %acc, %v : i32
    affine.yield %n : i32
  }
  affine.for %i = 0 to 10000 iter_args(%acc = %s) -> i32 {
    %v = affine.load %x[%i] : memref<10000xi32>
    %n = arith.addi %acc, %v : i32
    affine.yield %n : i32
  }
  affine.for %i = 0 to 100 iter_args(%acc = %s) -> i32 {
    %v = affine.load %x[%i] : memref<10000xi32>
    %n = arith.addi %acc, %v : i32
    affine.store %n, %x[%i] : memref<10000xi32>
    affine.yield %n : i32
  }
  affine.for %r = 0 to 8 {
    affine.for %i = 0 to 10000 iter_args(%acc = %s) -> i32 {
      %v = affine.load %y[%r, %i] : memref<8x10000xi32>
      %n = arith.addi %acc, %v : i32
      affine.store %n, %y[%r, %i] : memref<8x10000xi32>
      affine.yield %n : i32
    }
  }
  return
}

// A scan in each iteration of another one: the outer one is cut, the inner one
// is copied with it.
func.func @nested(%y: memref<10000xi32>, %z: memref<10000x10000xi32>, %s: i32) {
  %y_apart, %z_apart = memref.distinct_objects %y, %z : memref<10000xi32>, memref<10000x10000xi32>
  affine.for %i = 0 to 10000 iter_args(%acc = %s) -> i32 {
    %n = arith.addi %acc, %s : i32
    affine.store %n, %y_apart[%i] : memref<10000xi32>
    affine.for %j = 0 to 10000 iter_args(%sum = %s) -> i32 {
      %m = arith.muli %sum, %s : i32
      affine.store %m, %z_apart[%i, %j] : memref<10000x10000xi32>
      affine.yield %m : i32
    }
    affine.yield %n : i32
  }
  return
}
