// test: opt --int-range-optimizations --canonicalize --cse
// test: run-opt --entry=around_zero --arg=zeros
// expect: arg 0 = [-4, -3, -2, -1, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0]
// test: run-opt --entry=periodic --arg=iota --arg=zeros
// test: run-opt --entry=one_step --arg=zeros
// test: run-opt --entry=unknown --arg=random:3[1] --arg=-9 --arg=true --arg=false
// test: run-opt --entry=decided --arg=zeros[3] --arg=-1

// Ids are not negative, so subscripts made of them need no sign.

module {
  // (64 * block + 8 * thread + 63) mod 64 and the neighbours of its block of 8.
  func.func @periodic(%x: memref<64xf32>, %y: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c63 = arith.constant 63 : index
    %c65 = arith.constant 65 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c8, %ny = %c1, %nz = %c1) {
      %t = arith.muli %tx, %c8 : index
      %before = arith.addi %t, %c63 : index
      %is_negative = arith.cmpi slt, %before, %c0 : index
      %raised = arith.addi %before, %c64 : index
      %dividend = arith.select %is_negative, %raised, %before : index
      %place = arith.remsi %dividend, %c64 : index
      %first = memref.load %x[%place] : memref<64xf32>
      memref.store %first, %y[%t] : memref<64xf32>
      // 8 * thread + 65 is at least 64 and below 128.
      %next = arith.addi %t, %c65 : index
      %rows = arith.floordivsi %next, %c64 : index
      %row = arith.muli %rows, %c64 : index
      %column = arith.subi %next, %row : index
      %second = memref.load %x[%column] : memref<64xf32>
      memref.store %second, %y[%column] : memref<64xf32>
      gpu.terminator
    }
    return
  }

  // A dividend below twice the divisor: one subtraction. From 200 on, a division.
  func.func @one_step(%x: memref<400xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c100 = arith.constant 100 : index
    %c200 = arith.constant 200 : index
    %c201 = arith.constant 201 : index
    scf.for %i = %c0 to %c200 step %c1 {
      %r = arith.remsi %i, %c100 : index
      %q = arith.floordivsi %i, %c100 : index
      memref.store %r, %x[%i] : memref<400xindex>
      memref.store %q, %x[%r] : memref<400xindex>
    }
    scf.for %i = %c0 to %c201 step %c1 {
      %r = arith.remsi %i, %c100 : index
      memref.store %r, %x[%i] : memref<400xindex>
    }
    return
  }

  // Above the negative of the divisor, too; the rest of -5 by 5 is 0, so that loop keeps its remainder.
  func.func @around_zero(%x: memref<15xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c10 = arith.constant 10 : index
    %below = arith.constant -4 : index
    %far = arith.constant -5 : index
    scf.for %i = %below to %c10 step %c1 {
      %r = arith.remsi %i, %c5 : index
      %place = arith.addi %i, %c4 : index
      memref.store %r, %x[%place] : memref<15xindex>
    }
    scf.for %i = %far to %c10 step %c5 {
      %r = arith.remsi %i, %c5 : index
      %place = arith.constant 14 : index
      memref.store %r, %x[%place] : memref<15xindex>
    }
    return
  }

  // Numbers that may be negative, wrap around or be compared unsigned keep their operations.
  func.func @unknown(%x: memref<?xi32>, %n: index, %b: i1, %c: i1) -> (i1, i1, i32, index, i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %most = arith.constant 2147483647 : i32
    %zero = arith.constant 0 : i32
    %v = memref.load %x[%c0] : memref<?xi32>
    %natural = arith.maxsi %v, %zero : i32
    // May be -2147483648.
    %wrapped = arith.addi %natural, %most : i32
    %is_natural = arith.cmpi sge, %wrapped, %zero : i32
    // -1 is the greatest unsigned.
    %is_small = arith.cmpi ult, %v, %most : i32
    %divisor = arith.remsi %n, %c7 : index
    %quotient = arith.floordivsi %n, %c7 : index
    %rest = arith.remsi %natural, %v : i32
    // True is -1 to a signed comparison.
    %ordered = arith.cmpi sge, %b, %c : i1
    %sum = arith.addi %divisor, %quotient : index
    return %is_natural, %is_small, %rest, %sum, %ordered : i1, i1, i32, index, i1
  }

  // An extremum and a test that ranges decide.
  func.func @decided(%x: memref<?xindex>, %i: i8) -> (i1, index) {
    %c0 = arith.constant 0 : index
    %c300 = arith.constant 300 : index
    %wide = arith.index_castui %i : i8 to index
    %below = arith.cmpi ult, %wide, %c300 : index
    %least = arith.minsi %wide, %c300 : index
    %size = memref.dim %x, %c0 : memref<?xindex>
    %natural = arith.maxsi %size, %c0 : index
    %sum = arith.xori %least, %natural : index
    return %below, %sum : i1, index
  }
}
