// Argmax and argmin that carry a cast of their counter carry the counter.
// test: opt --affine-carry-selected-elements
// test: run-opt --entry=least --arg=iota[0]
// test: run --entry=least --arg=iota[0]
// expect: result 0 = -1
// test: run-opt --entry=least --arg=iota[1]
// test: run --entry=least --arg=iota[1]
// expect: result 0 = 0
// test: run-opt --entry=least --arg=iota[5000]
// test: run --entry=least --arg=iota[5000]
// test: run --no-specialize --entry=least --arg=iota[5000]
// expect: result 0 = 0
// test: run-opt --entry=greatest --arg=iota[5001] --arg=7
// test: run --entry=greatest --arg=iota[5001] --arg=7
// test: run --no-specialize --entry=greatest --arg=iota[5001] --arg=7
// expect: result 0 = 5000
// expect: result 1 = 5000
// test: run-opt --entry=greatest --arg=zeros[100] --arg=-7
// test: run --entry=greatest --arg=zeros[100] --arg=-7
// expect: result 0 = 0
// expect: result 1 = -7
// test: run-opt --entry=byte --arg=iota[3000]
// test: run --entry=byte --arg=iota[3000]
// expect: result 0 = -73

// The index of the first of the least numbers, -1 for none.
func.func @least(%x: memref<?xi32>) -> i64 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %most = arith.constant 2147483647 : i32
  %none = arith.constant -1 : i64
  %r:2 = affine.for %i = 0 to %n iter_args(%m = %most, %k = %none) -> (i32, i64) {
    %a = affine.load %x[%i] : memref<?xi32>
    %j = arith.index_cast %i : index to i64
    %c = arith.cmpi slt, %a, %m : i32
    %b = arith.select %c, %a, %m : i32
    %l = arith.select %c, %j, %k : i64
    affine.yield %b, %l : i32, i64
  }
  return %r#1 : i64
}

// Where the first value is not known, it comes back from an index.
func.func @greatest(%x: memref<?xi32>, %none: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %least = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to %n iter_args(%m = %least, %k = %none) -> (i32, i32) {
    %a = affine.load %x[%i] : memref<?xi32>
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpi sgt, %a, %m : i32
    %b = arith.select %c, %a, %m : i32
    %l = arith.select %c, %j, %k : i32
    affine.yield %b, %l : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// The cast may wrap around: 2999 is -73 in 8 bits.
func.func @byte(%x: memref<?xi32>) -> i8 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %least = arith.constant 0 : i32
  %none = arith.constant 1 : i8
  %r:2 = affine.for %i = 0 to %n iter_args(%m = %least, %k = %none) -> (i32, i8) {
    %a = affine.load %x[%i] : memref<?xi32>
    %j = arith.index_cast %i : index to i8
    %c = arith.cmpi sgt, %a, %m : i32
    %b = arith.select %c, %a, %m : i32
    %l = arith.select %c, %j, %k : i8
    affine.yield %b, %l : i32, i8
  }
  return %r#1 : i8
}

// Not done: an unsigned cast of a number that may be negative, and 64 bits of which nothing is known.
func.func @refused(%x: memref<?xi32>, %none: i64) -> (i64, i32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %least = arith.constant 0 : i32
  %minus = arith.constant -1 : i32
  %r:2 = affine.for %i = 0 to %n iter_args(%m = %least, %k = %none) -> (i32, i64) {
    %a = affine.load %x[%i] : memref<?xi32>
    %j = arith.index_cast %i : index to i64
    %c = arith.cmpi sgt, %a, %m : i32
    %b = arith.select %c, %a, %m : i32
    %l = arith.select %c, %j, %k : i64
    affine.yield %b, %l : i32, i64
  }
  %s:2 = affine.for %i = 0 to %n iter_args(%m = %least, %k = %minus) -> (i32, i32) {
    %a = affine.load %x[%i] : memref<?xi32>
    %j = arith.index_castui %i : index to i32
    %c = arith.cmpi slt, %a, %m : i32
    %b = arith.select %c, %a, %m : i32
    %l = arith.select %c, %j, %k : i32
    affine.yield %b, %l : i32, i32
  }
  return %r#1, %s#1 : i64, i32
}
