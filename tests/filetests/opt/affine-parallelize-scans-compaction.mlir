// test: opt --affine-parallelize-scans=target=cpu
// test: run-opt --entry=left_with_a_step_cut_off --arg=iota --arg=zeros
// expect: result 0 = 0
// expect: arg 1 = [9000, 0, 0]
// test: run-opt --entry=compacts --arg=random:1 --arg=zeros
// test: run-opt --entry=compacts_by_branches --arg=random:4 --arg=zeros
// test: run-opt --entry=left_where_the_branch_counts --arg=random:4 --arg=zeros
// test: run-opt --entry=left_with_the_same_step --arg=random:2 --arg=zeros
// test: run-opt --entry=left_beside_the_condition --arg=random:3 --arg=zeros

// Each iteration that stores has an element of its own.
func.func @compacts(%a: memref<10000xf32>, %out: memref<10001xf32>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %a, %out : memref<10000xf32>, memref<10001xf32>
  %none = arith.constant 0 : index
  %step = arith.constant 1 : index
  %limit = arith.constant 0.5 : f32
  %last = affine.for %i = 0 to 10000 iter_args(%n = %none) -> index {
    %x = affine.load %x_apart[%i] : memref<10000xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    %d = arith.select %c, %step, %none : index
    %m = arith.addi %n, %d : index
    scf.if %c {
      memref.store %x, %y_apart[%m] : memref<10001xf32>
    }
    affine.yield %m : index
  }
  return %last : index
}

// The counter does not advance in between: iterations store to one element.
func.func @left_with_the_same_step(%a: memref<10000xf32>, %out: memref<10001xf32>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %a, %out : memref<10000xf32>, memref<10001xf32>
  %none = arith.constant 0 : index
  %limit = arith.constant 0.5 : f32
  %last = affine.for %i = 0 to 10000 iter_args(%n = %none) -> index {
    %x = affine.load %x_apart[%i] : memref<10000xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    %d = arith.select %c, %none, %none : index
    %m = arith.addi %n, %d : index
    scf.if %c {
      memref.store %x, %y_apart[%m] : memref<10001xf32>
    }
    affine.yield %m : index
  }
  return %last : index
}

// It stores where the counter stays, too.
func.func @left_beside_the_condition(%a: memref<10000xf32>, %out: memref<10001xf32>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %a, %out : memref<10000xf32>, memref<10001xf32>
  %none = arith.constant 0 : index
  %step = arith.constant 1 : index
  %limit = arith.constant 0.5 : f32
  %last = affine.for %i = 0 to 10000 iter_args(%n = %none) -> index {
    %x = affine.load %x_apart[%i] : memref<10000xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    %b = arith.cmpf olt, %x, %limit : f32
    %d = arith.select %c, %step, %none : index
    %m = arith.addi %n, %d : index
    scf.if %b {
      memref.store %x, %y_apart[%m] : memref<10001xf32>
    }
    affine.yield %m : index
  }
  return %last : index
}

// The condition is computed in a branch, which loads.
func.func @compacts_by_branches(%a: memref<10000xi8>, %out: memref<10000xi8>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %a, %out : memref<10000xi8>, memref<10000xi8>
  %none = arith.constant 0 : index
  %step = arith.constant 1 : index
  %true = arith.constant true
  %last = affine.for %i = 0 to 10000 iter_args(%n = %none) -> index {
    %x = affine.load %x_apart[%i] : memref<10000xi8>
    %c = affine.if affine_set<(d) : (d == 0)>(%i) -> i1 {
      affine.yield %true : i1
    } else {
      %w = affine.load %x_apart[%i - 1] : memref<10000xi8>
      %differs = arith.cmpi ne, %x, %w : i8
      affine.yield %differs : i1
    }
    %d = arith.select %c, %step, %none : index
    %m = arith.addi %n, %d : index
    scf.if %c {
      memref.store %x, %y_apart[%n] : memref<10000xi8>
    }
    affine.yield %m : index
  }
  return %last : index
}

// What the branch computes depends on the count.
func.func @left_where_the_branch_counts(%a: memref<10000xi8>, %out: memref<10000xi8>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %a, %out : memref<10000xi8>, memref<10000xi8>
  %none = arith.constant 0 : index
  %step = arith.constant 1 : index
  %true = arith.constant true
  %last = affine.for %i = 0 to 10000 iter_args(%n = %none) -> index {
    %x = affine.load %x_apart[%i] : memref<10000xi8>
    %c = affine.if affine_set<(d) : (d == 0)>(%i) -> i1 {
      affine.yield %true : i1
    } else {
      %is_early = arith.cmpi ult, %n, %i : index
      affine.yield %is_early : i1
    }
    %d = arith.select %c, %step, %none : index
    %m = arith.addi %n, %d : index
    scf.if %c {
      memref.store %x, %y_apart[%n] : memref<10000xi8>
    }
    affine.yield %m : index
  }
  return %last : index
}

// A step of 2^32 is 0 in the type of the counter: all stores meet.
func.func @left_with_a_step_cut_off(%x: memref<9001xi32>, %out: memref<3xi32>) -> i32 {
  %none = arith.constant 0 : index
  %large = arith.constant 4294967296 : index
  %zero = arith.constant 0 : i32
  %last = affine.for %i = 0 to 9001 iter_args(%n = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<9001xi32>
    %c = arith.cmpi sgt, %v, %zero : i32
    %step = arith.select %c, %large, %none : index
    %term = arith.index_cast %step : index to i32
    %next = arith.addi %n, %term : i32
    scf.if %c {
      %k = arith.index_cast %n : i32 to index
      memref.store %v, %out[%k] : memref<3xi32>
    }
    affine.yield %next : i32
  }
  return %last : i32
}
