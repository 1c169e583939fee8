// Unsigned loops of 64-bit integers count in unsigned index: affine where the bounds cannot be negative as signed numbers.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=known --arg=iota[8] --arg=zeros[8]
// expect: arg 1 = [0, 1, 0, 9, 0, 25, 0, 49]
// test: run-opt --entry=masked --arg=iota[8] --arg=zeros[8] --arg=21
// expect: arg 1 = [0, 1, 4, 9, 16, 0, 0, 0]
// test: run-opt --entry=high --arg=zeros[4] --arg=-4 --arg=-1
// expect: arg 0 = [-4, -3, -2, 0]
// test: run-opt --entry=high --arg=zeros[4] --arg=-1 --arg=3
// expect: arg 0 = [0, 0, 0, 0]
func.func @known(%a: memref<?xi32>, %o: memref<?xi32>) {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c8 = arith.constant 8 : i64
  scf.for unsigned %i = %c1 to %c8 step %c2 : i64 {
    %j = arith.index_cast %i : i64 to index
    %x = memref.load %a[%j] : memref<?xi32>
    %t = arith.trunci %i : i64 to i32
    %y = arith.muli %x, %t : i32
    memref.store %y, %o[%j] : memref<?xi32>
  }
  return
}

// Five iterations of 21: the low four bits are 5.
func.func @masked(%a: memref<?xi32>, %o: memref<?xi32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c15 = arith.constant 15 : i64
  %m = arith.andi %n, %c15 : i64
  scf.for unsigned %i = %c0 to %m step %c1 : i64 {
    %j = arith.index_cast %i : i64 to index
    %x = memref.load %a[%j] : memref<?xi32>
    %t = arith.trunci %i : i64 to i32
    %y = arith.muli %x, %t : i32
    memref.store %y, %o[%j] : memref<?xi32>
  }
  return
}

// Stays: as unsigned numbers, -4 is less than -1, and -1 is more than 3.
func.func @high(%o: memref<4xi32>, %from: i64, %to: i64) {
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  scf.for unsigned %i = %from to %to step %c1 : i64 {
    %k = arith.addi %i, %c4 : i64
    %j = arith.index_cast %k : i64 to index
    %t = arith.trunci %i : i64 to i32
    memref.store %t, %o[%j] : memref<4xi32>
  }
  return
}
