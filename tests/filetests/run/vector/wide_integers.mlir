// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [[0, 0], [0, 2], [0, 6], [0, 12], [-1, 39], [-1, 49], [-1, 61], [-1, 75]]
// expect: arg 2 = [1, 1, 0, 0]

// Vectors of integers of 128 bits: x * (x + 1) * 2^64, by a product whose upper half counts, and of the second four
// (30, 40 …, 60 added to x * (x + 1) instead) one less. Written is the lower half, then the upper one.

func.func @f(%x: memref<8xi64>, %y: memref<8x2xi64>, %flags: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1> : vector<4xi128>
  %high = arith.constant dense<18446744073709551616> : vector<4xi128>
  %shift = arith.constant dense<64> : vector<4xi128>
  %kept = memref.alloc() : memref<8xi128>
  %sum = scf.for %i = %c0 to %c8 step %c4 iter_args(%carried = %one) -> (vector<4xi128>) {
    %v = vector.load %x[%i] : memref<8xi64>, vector<4xi64>
    %a = arith.extsi %v : vector<4xi64> to vector<4xi128>
    %b = arith.addi %a, %one : vector<4xi128>
    %p = arith.muli %a, %b : vector<4xi128>
    %q = arith.muli %p, %high : vector<4xi128>
    %is_first = arith.cmpi eq, %i, %c0 : index
    %later = scf.if %is_first -> (vector<4xi128>) {
      scf.yield %q : vector<4xi128>
    } else {
      %tens = arith.constant dense<[368934881474191032320, 368934881474191032320, 368934881474191032320, 368934881474191032320]> : vector<4xi128>
      %r = arith.addi %q, %tens : vector<4xi128>
      %s = arith.subi %r, %one : vector<4xi128>
      scf.yield %s : vector<4xi128>
    }
    vector.store %later, %kept[%i] : memref<8xi128>, vector<4xi128>
    %n = arith.maxsi %carried, %later : vector<4xi128>
    scf.yield %n : vector<4xi128>
  }
  %last = vector.load %kept[%c4] : memref<8xi128>, vector<4xi128>
  %same = arith.cmpi eq, %sum, %last : vector<4xi128>
  %two = arith.constant dense<[1, 1, 0, 0]> : vector<4xi128>
  %nothing = arith.constant dense<0> : vector<4xi128>
  %some = arith.select %same, %two, %nothing : vector<4xi1>, vector<4xi128>
  %short = arith.trunci %some : vector<4xi128> to vector<4xi64>
  vector.store %short, %flags[%c0] : memref<4xi64>, vector<4xi64>
  scf.for %i = %c0 to %c8 step %c4 {
    %v = vector.load %kept[%i] : memref<8xi128>, vector<4xi128>
    %low = arith.trunci %v : vector<4xi128> to vector<4xi64>
    %u = arith.shrui %v, %shift : vector<4xi128>
    %up = arith.trunci %u : vector<4xi128> to vector<4xi64>
    scf.for %lane = %c0 to %c4 step %c1 {
      %at = arith.addi %i, %lane : index
      %l = vector.extract %low[%lane] : i64 from vector<4xi64>
      %h = vector.extract %up[%lane] : i64 from vector<4xi64>
      memref.store %l, %y[%at, %c0] : memref<8x2xi64>
      memref.store %h, %y[%at, %c1] : memref<8x2xi64>
    }
  }
  memref.dealloc %kept : memref<8xi128>
  return
}
