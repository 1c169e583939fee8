// test: opt --affine-parallelize-scans=target=cpu
// test: run-opt --entry=partition --arg=random:1 --arg=zeros --arg=zeros
// test: run-opt --entry=inverse_conditions --arg=random:3 --arg=zeros
// test: run-opt --entry=left_with_the_inverse --arg=random:4 --arg=zeros
// test: run-opt --entry=one_needs_the_other --arg=random:2 --arg=zeros

// Two counters and a sum, of which only the counters are looked at.
func.func @partition(%a: memref<9001xf32>, %b: memref<9001xf32>, %c: memref<9001xf32>) -> (index, index, i32) {
  %x, %low, %high = memref.distinct_objects %a, %b, %c : memref<9001xf32>, memref<9001xf32>, memref<9001xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %half = arith.constant 0.5 : f32
  %r:3 = affine.for %i = 0 to 9001 iter_args(%m = %c0, %n = %c0, %s = %zero) -> (index, index, i32) {
    %v = affine.load %x[%i] : memref<9001xf32>
    %less = arith.cmpf olt, %v, %half : f32
    %d = arith.select %less, %c1, %c0 : index
    %e = arith.select %less, %c0, %c1 : index
    %bits = arith.bitcast %v : f32 to i32
    %k = arith.addi %m, %d : index
    %l = arith.addi %n, %e : index
    %t = arith.xori %s, %bits : i32
    scf.if %less {
      memref.store %v, %low[%m] : memref<9001xf32>
    } else {
      memref.store %v, %high[%n] : memref<9001xf32>
    }
    affine.yield %k, %l, %t : index, index, i32
  }
  return %r#0, %r#1, %r#2 : index, index, i32
}

func.func @one_needs_the_other(%a: memref<9001xi32>, %b: memref<9001xi32>) -> i32 {
  %x, %y = memref.distinct_objects %a, %b : memref<9001xi32>, memref<9001xi32>
  %zero = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to 9001 iter_args(%s = %zero, %t = %zero) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<9001xi32>
    %p = arith.addi %s, %v : i32
    %q = arith.addi %t, %p : i32
    affine.store %q, %y[%i] : memref<9001xi32>
    affine.yield %p, %q : i32, i32
  }
  return %r#1 : i32
}

// The branch tests the inverse of what the counter adds.
func.func @inverse_conditions(%a: memref<9001xi32>, %b: memref<9002xi32>) -> index {
  %x, %y = memref.distinct_objects %a, %b : memref<9001xi32>, memref<9002xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to 9001 iter_args(%n = %c0) -> index {
    %v = affine.load %x[%i] : memref<9001xi32>
    %c = arith.cmpi sle, %v, %zero : i32
    %d = arith.cmpi sgt, %v, %zero : i32
    %e = arith.select %c, %c1, %c0 : index
    %m = arith.addi %n, %e : index
    scf.if %d {
    } else {
      memref.store %v, %y[%n] : memref<9002xi32>
    }
    affine.yield %m : index
  }
  return %r : index
}

// Iterations store that do not advance the counter.
func.func @left_with_the_inverse(%a: memref<9001xi32>, %b: memref<9002xi32>) -> index {
  %x, %y = memref.distinct_objects %a, %b : memref<9001xi32>, memref<9002xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to 9001 iter_args(%n = %c0) -> index {
    %v = affine.load %x[%i] : memref<9001xi32>
    %c = arith.cmpi sle, %v, %zero : i32
    %d = arith.cmpi sgt, %v, %zero : i32
    %e = arith.select %c, %c1, %c0 : index
    %m = arith.addi %n, %e : index
    scf.if %d {
      memref.store %v, %y[%n] : memref<9002xi32>
    }
    affine.yield %m : index
  }
  return %r : index
}
