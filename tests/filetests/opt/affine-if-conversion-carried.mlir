// Branches that store, and hand values on: counters become sums of predicates, other values selects. Stores that the next
// iteration repeats unless the counter advances are made where it does.
//
// test: opt --affine-if-conversion
// test: run-opt --entry=run_lengths --arg=random:1 --arg=zeros --arg=zeros
// test: run-opt --entry=two_counters --arg=random:2 --arg=zeros --arg=zeros
// test: run-opt --entry=overwritten --arg=random:3 --arg=zeros
// test: run-opt --entry=overwritten_where_it_fails --arg=random:4 --arg=zeros
// test: run-opt --entry=left_where_it_is_read --arg=random:5 --arg=zeros
// test: run-opt --entry=left_where_it_may_fail --arg=iota --arg=zeros
// test: run-opt --entry=left_as_reductions --arg=random:7

func.func @run_lengths(%x: memref<9xi1>, %value: memref<10xi1>, %length: memref<10xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %no = arith.constant false
  %r:3 = affine.for %i = 0 to 9 iter_args(%n = %c0, %last = %no, %count = %zero) -> (index, i1, i32) {
    %v = affine.load %x[%i] : memref<9xi1>
    %same = arith.cmpi eq, %v, %last : i1
    %q:3 = scf.if %same -> (index, i1, i32) {
      %more = arith.addi %count, %one : i32
      scf.yield %n, %last, %more : index, i1, i32
    } else {
      memref.store %last, %value[%n] : memref<10xi1>
      memref.store %count, %length[%n] : memref<10xi32>
      %m = arith.addi %n, %c1 : index
      scf.yield %m, %v, %one : index, i1, i32
    }
    affine.yield %q#0, %q#1, %q#2 : index, i1, i32
  }
  return %r#0 : index
}

func.func @two_counters(%x: memref<9xf32>, %low: memref<9xf32>, %high: memref<9xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %r:2 = affine.for %i = 0 to 9 iter_args(%m = %c0, %n = %c0) -> (index, index) {
    %v = affine.load %x[%i] : memref<9xf32>
    %c = arith.cmpf olt, %v, %half : f32
    %q:2 = scf.if %c -> (index, index) {
      memref.store %v, %low[%m] : memref<9xf32>
      %k = arith.addi %m, %c1 : index
      scf.yield %k, %n : index, index
    } else {
      memref.store %v, %high[%n] : memref<9xf32>
      %k = arith.addi %n, %c1 : index
      scf.yield %m, %k : index, index
    }
    affine.yield %q#0, %q#1 : index, index
  }
  return %r#0, %r#1 : index, index
}

func.func @overwritten(%x: memref<9000xf32>, %out: memref<9001xf32>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %x, %out : memref<9000xf32>, memref<9001xf32>
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %r = affine.for %i = 0 to 9000 iter_args(%n = %c0) -> index {
    %v = affine.load %x_apart[%i] : memref<9000xf32>
    memref.store %v, %y_apart[%n] : memref<9001xf32>
    %c = arith.cmpf ogt, %v, %half : f32
    %d = arith.extui %c : i1 to i32
    %e = arith.index_cast %d : i32 to index
    %m = arith.addi %n, %e : index
    affine.yield %m : index
  }
  return %r : index
}

func.func @overwritten_where_it_fails(%x: memref<9000xf32>, %out: memref<9001xf32>) -> i32 {
  %x_apart, %y_apart = memref.distinct_objects %x, %out : memref<9000xf32>, memref<9001xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %r = affine.for %i = 0 to 9000 iter_args(%n = %zero) -> i32 {
    %v = affine.load %x_apart[%i] : memref<9000xf32>
    %k = arith.index_cast %n : i32 to index
    memref.store %v, %y_apart[%k] : memref<9001xf32>
    %c = arith.cmpf ogt, %v, %half : f32
    %m = arith.addi %n, %one : i32
    %q = arith.select %c, %n, %m : i32
    affine.yield %q : i32
  }
  return %r : i32
}

// An iteration reads what the one before has stored.
func.func @left_where_it_is_read(%x: memref<9000xf32>, %out: memref<9001xf32>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %x, %out : memref<9000xf32>, memref<9001xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %r = affine.for %i = 0 to 9000 iter_args(%n = %c0) -> index {
    %v = affine.load %x_apart[%i] : memref<9000xf32>
    %w = memref.load %y_apart[%n] : memref<9001xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %y_apart[%n] : memref<9001xf32>
    %c = arith.cmpf ogt, %v, %half : f32
    %d = arith.select %c, %c1, %c0 : index
    %m = arith.addi %n, %d : index
    affine.yield %m : index
  }
  return %r : index
}

// A quotient by zero is undefined where the branch is not taken.
func.func @left_where_it_may_fail(%x: memref<9xi32>, %out: memref<9xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %r = affine.for %i = 0 to 9 iter_args(%n = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<9xi32>
    %c = arith.cmpi ne, %v, %zero : i32
    %q = scf.if %c -> i32 {
      affine.store %n, %out[%i] : memref<9xi32>
      %d = arith.divsi %nine, %v : i32
      scf.yield %d : i32
    } else {
      scf.yield %n : i32
    }
    affine.yield %q : i32
  }
  return %r : i32
}

// A sum that nothing looks at is a reduction as it stands.
func.func @left_as_reductions(%x: memref<9xf32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %r = affine.for %i = 0 to 9 iter_args(%n = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<9xf32>
    %c = arith.cmpf ogt, %v, %half : f32
    %q = scf.if %c -> i32 {
      affine.store %half, %x[%i] : memref<9xf32>
      %m = arith.addi %n, %one : i32
      scf.yield %m : i32
    } else {
      scf.yield %n : i32
    }
    affine.yield %q : i32
  }
  return %r : i32
}
