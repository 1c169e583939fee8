// A value that a loop takes from the last, or first, iteration where a condition holds becomes an argmax, or argmin, of
// the iterations' numbers.
// test: opt --affine-number-selections --canonicalize
// test: run-opt --entry=main --arg=iota --arg=6
// expect: result 0 = 6
// expect: result 1 = 7
func.func @main(%a: memref<9xi32>, %key: i32) -> (i32, i32) {
  %last = func.call @last(%a, %key) : (memref<9xi32>, i32) -> i32
  %first = func.call @first(%a, %key) : (memref<9xi32>, i32) -> i32
  return %last, %first : i32, i32
}

func.func @last(%a: memref<9xi32>, %key: i32) -> i32 {
  %none = arith.constant -1 : i32
  %r = affine.for %i = 0 to 9 iter_args(%p = %none) -> i32 {
    %x = affine.load %a[%i] : memref<9xi32>
    %hit = arith.cmpi eq, %x, %key : i32
    %at = arith.index_cast %i : index to i32
    %q = arith.select %hit, %at, %p : i32
    affine.yield %q : i32
  }
  return %r : i32
}

// The first above the key.
func.func @first(%a: memref<9xi32>, %key: i32) -> i32 {
  %none = arith.constant -1 : i32
  %r = affine.for %i = 0 to 9 iter_args(%p = %none) -> i32 {
    %x = affine.load %a[%i] : memref<9xi32>
    %hit = arith.cmpi sgt, %x, %key : i32
    %at = arith.index_cast %i : index to i32
    %unset = arith.cmpi eq, %p, %none : i32
    %takes = arith.andi %unset, %hit : i1
    %q = arith.select %takes, %at, %p : i32
    affine.yield %q : i32
  }
  return %r : i32
}

// What is taken may look unset: the loop takes the last one then, not the first, and stays.
func.func @may_be_unset(%a: memref<9xi32>, %key: i32) -> i32 {
  %none = arith.constant -1 : i32
  %r = affine.for %i = 0 to 9 iter_args(%p = %none) -> i32 {
    %x = affine.load %a[%i] : memref<9xi32>
    %hit = arith.cmpi sgt, %x, %key : i32
    %unset = arith.cmpi eq, %p, %none : i32
    %takes = arith.andi %unset, %hit : i1
    %q = arith.select %takes, %x, %p : i32
    affine.yield %q : i32
  }
  return %r : i32
}

// The loop stores what it has found so far.
func.func @seen(%a: memref<9xi32>, %b: memref<9xi32>, %key: i32) -> i32 {
  %none = arith.constant -1 : i32
  %r = affine.for %i = 0 to 9 iter_args(%p = %none) -> i32 {
    %x = affine.load %a[%i] : memref<9xi32>
    affine.store %p, %b[%i] : memref<9xi32>
    %hit = arith.cmpi eq, %x, %key : i32
    %at = arith.index_cast %i : index to i32
    %q = arith.select %hit, %at, %p : i32
    affine.yield %q : i32
  }
  return %r : i32
}
