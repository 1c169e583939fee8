// Scans whose counter passes through a nest, or is advanced by what a loop of unknown length computes. The expected values are those of
// Python loops.
// test: run --entry=picked --arg=iota[50x300] --arg=zeros[16] --arg=50
// expect: result 0 = 15
// expect: arg 1 = [0, 1001, 2002, 3003, 4004, 5005, 6006, 7007, 8008, 9009, 10010, 11011, 12012, 13013, 14014, 0]
// test: run --entry=matches --arg=iota --arg=zeros
// expect: result 0 = 2731

// Compaction of an image with an open number of rows, which a run knows.
func.func @picked(%a: memref<?x300xi32>, %o: memref<?xi32>, %rows: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c300 = arith.constant 300 : i32
  %zero = arith.constant 0 : i32
  %m = arith.constant 1001 : i32
  %n = affine.for %i = 0 to %rows iter_args(%z = %c0) -> index {
    %row = arith.index_cast %i : index to i32
    %start = arith.muli %row, %c300 : i32
    %k = affine.for %j = 0 to 300 iter_args(%l = %z) -> index {
      %x = affine.load %a[%i, %j] : memref<?x300xi32>
      %r = arith.remsi %x, %m : i32
      %c = arith.cmpi eq, %r, %zero : i32
      %column = arith.index_cast %j : index to i32
      %at = arith.addi %start, %column : i32
      scf.if %c {
        memref.store %at, %o[%l] : memref<?xi32>
      }
      %d = arith.select %c, %c1, %c0 : index
      %next = arith.addi %l, %d : index
      affine.yield %next : index
    }
    affine.yield %k : index
  }
  return %n : index
}

// What is counted is known by what a loop of unknown length computes: the even multiples of 3.
func.func @matches(%a: memref<16384xi32>, %o: memref<16384xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %s = affine.for %i = 0 to 16384 iter_args(%z = %c0) -> i32 {
    %v = affine.load %a[%i] : memref<16384xi32>
    %w = scf.while (%n = %v) : (i32) -> i32 {
      %r = arith.remsi %n, %c3 : i32
      %more = arith.cmpi ne, %r, %c0 : i32
      scf.condition(%more) %n : i32
    } do {
    ^bb0(%n: i32):
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    }
    %r = arith.remsi %v, %c2 : i32
    %even = arith.cmpi eq, %r, %c0 : i32
    %same = arith.cmpi eq, %v, %w : i32
    %both = arith.andi %even, %same : i1
    %d = arith.extui %both : i1 to i32
    affine.store %z, %o[%i] : memref<16384xi32>
    %next = arith.addi %z, %d : i32
    affine.yield %next : i32
  }
  return %s : i32
}
