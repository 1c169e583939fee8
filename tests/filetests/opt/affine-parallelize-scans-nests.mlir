// Scans over nests: what loops hand on from one to the next is scanned in one loop over all of their iterations.
// test: opt --affine-parallelize-scans
// test: run-opt --entry=scanned --arg=iota --arg=zeros
// expect: result 0 = 44727927
// test: run-opt --entry=triangle --arg=iota --arg=zeros
// expect: result 0 = 530653400
// test: run-opt --entry=begins --arg=iota --arg=zeros
// expect: result 0 = 268402688
// test: run-opt --entry=changed --arg=iota --arg=zeros
// expect: result 0 = 199990700
// test: run-opt --entry=loads --arg=iota --arg=zeros --arg=iota
// expect: result 0 = 0
// test: run-opt --entry=row_starts --arg=iota --arg=zeros
// expect: result 0 = 199990001

// Three loops around a running sum. The expected values of this file are those of Python loops.
func.func @scanned(%a: memref<10x30x50xi32>, %o: memref<10x30x50xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %m = arith.constant 6553 : i32
  %s = affine.for %i = 0 to 10 iter_args(%x = %c0) -> i32 {
    %t = affine.for %j = 0 to 30 iter_args(%y = %x) -> i32 {
      %u = affine.for %k = 0 to 50 iter_args(%z = %y) -> i32 {
        affine.store %z, %o[%i, %j, %k] : memref<10x30x50xi32>
        %v = affine.load %a[%i, %j, %k] : memref<10x30x50xi32>
        %r = arith.remsi %v, %m : i32
        %w = arith.addi %z, %r : i32
        affine.yield %w : i32
      }
      affine.yield %u : i32
    }
    affine.yield %t : i32
  }
  return %s : i32
}

// The trip count of the inner loop differs: the nest stays.
func.func @triangle(%a: memref<200x200xi32>, %o: memref<200x200xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %s = affine.for %i = 0 to 200 iter_args(%y = %c0) -> i32 {
    %t = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%z = %y) -> i32 {
      affine.store %z, %o[%i, %j] : memref<200x200xi32>
      %v = affine.load %a[%i, %j] : memref<200x200xi32>
      %w = arith.addi %z, %v : i32
      affine.yield %w : i32
    }
    affine.yield %t : i32
  }
  return %s : i32
}

// Where the innermost loop begins is computed two loops outside of it, so that its computation cannot go into the loop: the nest stays.
func.func @begins(%a: memref<16x32x64xi32>, %o: memref<16x32x64xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %s = affine.for %i = 0 to 16 iter_args(%x = %c0) -> i32 {
    %p = affine.apply affine_map<(d0) -> (d0 + 7)>(%i)
    %t = affine.for %j = 0 to 32 iter_args(%y = %x) -> i32 {
      %u = affine.for %k = affine_map<(d0) -> (d0)>(%p) to affine_map<(d0) -> (d0 + 32)>(%p) iter_args(%z = %y) -> i32 {
        affine.store %z, %o[%i, %j, %k] : memref<16x32x64xi32>
        %v = affine.load %a[%i, %j, %k] : memref<16x32x64xi32>
        %w = arith.addi %z, %v : i32
        affine.yield %w : i32
      }
      affine.yield %u : i32
    }
    affine.yield %t : i32
  }
  return %s : i32
}

// The outer loop adds to the value as well: the nest stays.
func.func @changed(%a: memref<100x200xi32>, %o: memref<100x200xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %s = affine.for %i = 0 to 100 iter_args(%y = %c0) -> i32 {
    %t = affine.for %j = 0 to 200 iter_args(%z = %y) -> i32 {
      affine.store %z, %o[%i, %j] : memref<100x200xi32>
      %v = affine.load %a[%i, %j] : memref<100x200xi32>
      %w = arith.addi %z, %v : i32
      affine.yield %w : i32
    }
    %u = arith.addi %t, %c7 : i32
    affine.yield %u : i32
  }
  return %s : i32
}

// An element that the inner loop would load again after it has been stored to: the nest stays.
func.func @loads(%a: memref<100x200xi32>, %o: memref<100x200xi32>, %b: memref<200xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %s = affine.for %i = 0 to 100 iter_args(%y = %c0) -> i32 {
    %f = affine.load %b[%i] : memref<200xi32>
    %t = affine.for %j = 0 to 200 iter_args(%z = %y) -> i32 {
      affine.store %z, %b[%j] : memref<200xi32>
      affine.store %z, %o[%i, %j] : memref<100x200xi32>
      %v = affine.load %a[%i, %j] : memref<100x200xi32>
      %p = arith.muli %v, %f : i32
      %w = arith.addi %z, %p : i32
      affine.yield %w : i32
    }
    affine.yield %t : i32
  }
  return %s : i32
}

// The inner loop stores a multiple of the sum of the rows above, which one loop no longer has: the nest stays.
func.func @row_starts(%a: memref<100x200xi32>, %o: memref<100x200xi32>) -> i32 {
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %s = affine.for %i = 0 to 100 iter_args(%y = %c1) -> i32 {
    %p = arith.muli %y, %c7 : i32
    %t = affine.for %j = 0 to 200 iter_args(%z = %y) -> i32 {
      %v = affine.load %a[%i, %j] : memref<100x200xi32>
      %q = arith.xori %z, %p : i32
      affine.store %q, %o[%i, %j] : memref<100x200xi32>
      %w = arith.addi %z, %v : i32
      affine.yield %w : i32
    }
    affine.yield %t : i32
  }
  return %s : i32
}
