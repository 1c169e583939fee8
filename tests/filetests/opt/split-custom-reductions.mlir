// test: opt --split-custom-reductions=target=cpu
// test: run-opt --entry=farthest --arg=iota
// expect: result 0 = 99
// expect: result 1 = 4950
// test: run-opt --entry=nest --arg=iota --arg=8
// expect: result 0 = 127
// test: run-opt --entry=short --arg=iota
// expect: result 0 = 7
// test: run-opt --entry=of_the_iteration --arg=iota
// expect: result 0 = 198
// test: run-opt --entry=late --arg=iota --arg=9223372036854775708 --arg=9223372036854775807
// expect: result 0 = 96
// test: run-opt --entry=late --arg=iota --arg=7 --arg=-7
// expect: result 0 = -1
// test: run --entry=late --arg=iota --arg=10 --arg=60
// expect: result 0 = 48
// test: run --entry=farthest --arg=iota
// expect: result 0 = 99
// expect: result 1 = 4950
// test: run --entry=nest --arg=iota --arg=8
// expect: result 0 = 127
// test: run --entry=of_rows --arg=iota[0x0]
// expect: result 0 = 5
// test: run --entry=of_rows --arg=iota[70x9]
// expect: result 0 = 629
// test: run --entry=of_rows --arg=iota[3x0]
// expect: result 0 = 5

// A maximum by comparison is no one operation with a neutral element; the sum beside it goes with it.
func.func @farthest(%x: memref<100xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %r:2 = scf.parallel (%i) = (%c0) to (%c100) step (%c1) init (%zero, %zero) -> (i32, i32) {
    %v = memref.load %x[%i] : memref<100xi32>
    scf.reduce(%v, %v : i32, i32) {
    ^bb0(%a: i32, %b: i32):
      %is = arith.cmpi sgt, %a, %b : i32
      %c = arith.select %is, %a, %b : i32
      scf.reduce.return %c : i32
    }, {
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      scf.reduce.return %c : i32
    }
  }
  return %r#0, %r#1 : i32, i32
}

// Bits of a + b - (a and b) are those of a or b: all bits of the numbers 0 to 120, and of the initial 8.
func.func @nest(%x: memref<11x11xi32>, %init: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%c11, %c11) step (%c1, %c1) init (%init) -> i32 {
    %v = memref.load %x[%i, %j] : memref<11x11xi32>
    scf.reduce(%v : i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      %m = arith.andi %a, %b : i32
      %c = arith.subi %s, %m : i32
      scf.reduce.return %c : i32
    }
  }
  return %r : i32
}

// No gain: too few iterations.
func.func @short(%x: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %r = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> i32 {
    %v = memref.load %x[%i] : memref<8xi32>
    scf.reduce(%v : i32) {
    ^bb0(%a: i32, %b: i32):
      %is = arith.cmpi sgt, %a, %b : i32
      %c = arith.select %is, %a, %b : i32
      scf.reduce.return %c : i32
    }
  }
  return %r : i32
}

// Not legal: the combiner takes a value of the iteration.
func.func @of_the_iteration(%x: memref<100xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %r = scf.parallel (%i) = (%c0) to (%c100) step (%c1) init (%zero) -> i32 {
    %v = memref.load %x[%i] : memref<100xi32>
    %w = arith.addi %v, %v : i32
    scf.reduce(%v : i32) {
    ^bb0(%a: i32, %b: i32):
      %is = arith.cmpi sgt, %a, %w : i32
      %c = arith.select %is, %a, %w : i32
      scf.reduce.return %c : i32
    }
  }
  return %r : i32
}

// Sizes that may be zero: then the initial value is the result.
func.func @of_rows(%x: memref<?x?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xi32>
  %m = memref.dim %x, %c1 : memref<?x?xi32>
  %init = arith.constant 5 : i32
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%init) -> i32 {
    %v = memref.load %x[%i, %j] : memref<?x?xi32>
    scf.reduce(%v : i32) {
    ^bb0(%a: i32, %b: i32):
      %is = arith.cmpi slt, %a, %b : i32
      %c = scf.if %is -> i32 {
        scf.yield %b : i32
      } else {
        scf.yield %a : i32
      }
      scf.reduce.return %c : i32
    }
  }
  return %r : i32
}

// A loop that may count to the end of 64 bits: a thread counts its iterations instead.
func.func @late(%x: memref<99xi32>, %l: index, %u: index) -> i32 {
  %c4 = arith.constant 4 : index
  %none = arith.constant -1 : i32
  %r = scf.parallel (%i) = (%l) to (%u) step (%c4) init (%none) -> i32 {
    %at = arith.subi %i, %l : index
    %v = memref.load %x[%at] : memref<99xi32>
    scf.reduce(%v : i32) {
    ^bb0(%a: i32, %b: i32):
      %is = arith.cmpi sgt, %a, %b : i32
      %c = arith.select %is, %a, %b : i32
      scf.reduce.return %c : i32
    }
  }
  return %r : i32
}
