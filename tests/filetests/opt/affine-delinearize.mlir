// Flat arrays whose subscripts have rows of a length that the run knows.
// test: opt --affine-delinearize
// test: run-opt --entry=rows --arg=iota[12] --arg=3 --arg=4 --arg=4 --arg=0
// test: run --entry=rows --arg=iota[12] --arg=3 --arg=4 --arg=4 --arg=0
// expect: arg 0 = [0, 2, 4, 6, 9, 11, 13, 15, 18, 20, 22, 24]
// test: run-opt --entry=rows --arg=iota[12] --arg=3 --arg=4 --arg=3 --arg=1
// test: run --entry=rows --arg=iota[12] --arg=3 --arg=4 --arg=3 --arg=1
// expect: arg 0 = [0, 2, 4, 6, 4, 11, 13, 15, 8, 20, 22, 24]
// A part of a row behind the last one, in which rows end or not.
// test: run-opt --entry=rows --arg=iota[14] --arg=3 --arg=4 --arg=3 --arg=0
// test: run --entry=rows --arg=iota[14] --arg=3 --arg=4 --arg=3 --arg=0
// expect: arg 0 = [0, 2, 4, 3, 9, 11, 13, 7, 18, 20, 22, 11, 12, 13]
// Rows that run into each other, all on one, and backwards.
// test: run-opt --entry=rows --arg=iota[14] --arg=3 --arg=4 --arg=4 --arg=2
// test: run --entry=rows --arg=iota[14] --arg=3 --arg=4 --arg=4 --arg=2
// expect: arg 0 = [0, 1, 4, 6, 8, 10, 13, 15, 17, 19, 22, 24, 26, 28]
// test: run-opt --entry=rows --arg=iota[12] --arg=3 --arg=2 --arg=4 --arg=0
// test: run --entry=rows --arg=iota[12] --arg=3 --arg=2 --arg=4 --arg=0
// expect: arg 0 = [0, 2, 9, 13, 20, 24, 14, 16, 8, 9, 10, 11]
// test: run-opt --entry=rows --arg=iota[12] --arg=3 --arg=3 --arg=4 --arg=2
// test: run --entry=rows --arg=iota[12] --arg=3 --arg=3 --arg=4 --arg=2
// expect: arg 0 = [0, 1, 4, 6, 8, 21, 13, 15, 36, 20, 22, 24]
// test: run-opt --entry=rows --arg=iota[6] --arg=3 --arg=0 --arg=4 --arg=1
// test: run --entry=rows --arg=iota[6] --arg=3 --arg=0 --arg=4 --arg=1
// expect: arg 0 = [0, 12, 20, 28, 36, 5]
// test: run-opt --entry=rows --arg=iota[8] --arg=2 --arg=-2 --arg=3 --arg=4
// test: run --entry=rows --arg=iota[8] --arg=2 --arg=-2 --arg=3 --arg=4
// expect: arg 0 = [0, 1, 5, 7, 17, 10, 12, 7]
// Nothing to do.
// test: run-opt --entry=rows --arg=iota[6] --arg=-3 --arg=2 --arg=3 --arg=0
// test: run --entry=rows --arg=iota[6] --arg=-3 --arg=2 --arg=3 --arg=0
// expect: arg 0 = [0, 1, 2, 3, 4, 5]
// test: run-opt --entry=rows --arg=iota[6] --arg=2 --arg=2 --arg=-1 --arg=0
// test: run --entry=rows --arg=iota[6] --arg=2 --arg=2 --arg=-1 --arg=0
// expect: arg 0 = [0, 1, 2, 3, 4, 5]
// Numbers whose products wrap around.
// test: run-opt --entry=rows --arg=iota[3] --arg=1 --arg=4611686018427387904 --arg=3 --arg=0
// test: run --entry=rows --arg=iota[3] --arg=1 --arg=4611686018427387904 --arg=3 --arg=0
// expect: arg 0 = [0, 2, 4]
// test: run-opt --entry=rows --arg=iota[3] --arg=1 --arg=-9223372036854775808 --arg=3 --arg=0
// test: run --entry=rows --arg=iota[3] --arg=1 --arg=-9223372036854775808 --arg=3 --arg=0
// expect: arg 0 = [0, 2, 4]
// test: run-opt --entry=strides --arg=iota[12] --arg=8 --arg=2
// test: run --entry=strides --arg=iota[12] --arg=8 --arg=2
// expect: arg 0 = [0, 2, 2, 3, 4, 5, 6, 7, 20, 22, 10, 11]
// test: run-opt --entry=strides --arg=iota[4] --arg=8 --arg=4611686018427387904
// test: run --entry=strides --arg=iota[4] --arg=8 --arg=4611686018427387904
// expect: arg 0 = [4, 8, 2, 3]
// test: run-opt --entry=strides --arg=iota[4] --arg=12 --arg=0
// test: run --entry=strides --arg=iota[4] --arg=12 --arg=0
// expect: arg 0 = [16, 24, 2, 3]
// test: run-opt --entry=halves --arg=iota[24] --arg=zeros[24] --arg=4 --arg=6
// test: run --entry=halves --arg=iota[24] --arg=zeros[24] --arg=4 --arg=6
// expect: arg 1 = [0, 2, 4, 1, 3, 5, 12, 14, 16, 13, 15, 17, 6, 8, 10, 7, 9, 11, 18, 20, 22, 19, 21, 23]
// test: run-opt --entry=halves --arg=iota[15] --arg=zeros[15] --arg=5 --arg=3
// test: run --entry=halves --arg=iota[15] --arg=zeros[15] --arg=5 --arg=3
// expect: arg 1 = [0, 1, 0, 6, 7, 0, 3, 4, 0, 9, 10, 0, 0, 0, 0]
// test: run-opt --entry=halves --arg=iota[2] --arg=zeros[2] --arg=2 --arg=1
// test: run --entry=halves --arg=iota[2] --arg=zeros[2] --arg=2 --arg=1
// expect: arg 1 = [0, 0]
// test: run-opt --entry=padded --arg=iota[12] --arg=zeros[12] --arg=3 --arg=4
// test: run --entry=padded --arg=iota[12] --arg=zeros[12] --arg=3 --arg=4
// expect: arg 1 = [10, 18, 24, 18, 27, 45, 54, 39, 26, 42, 48, 34]
// test: run-opt --entry=padded --arg=iota[2] --arg=zeros[2] --arg=2 --arg=1
// test: run --entry=padded --arg=iota[2] --arg=zeros[2] --arg=2 --arg=1
// expect: arg 1 = [1, 1]
// test: run-opt --entry=checkers --arg=iota[28] --arg=4 --arg=7
// test: run --entry=checkers --arg=iota[28] --arg=4 --arg=7
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 14, 9, 18, 11, 22, 13, 14, 15, 30, 17, 34, 19, 20, 21, 22, 23, 24, 25, 26, 27]
// test: run-opt --entry=checkers --arg=iota[3] --arg=3 --arg=1
// test: run --entry=checkers --arg=iota[3] --arg=3 --arg=1
// expect: arg 0 = [0, 1, 2]
// test: run-opt --entry=mirrored --arg=iota[12] --arg=zeros[12] --arg=3 --arg=4
// test: run --entry=mirrored --arg=iota[12] --arg=zeros[12] --arg=3 --arg=4
// expect: arg 1 = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8]
// test: run-opt --entry=batches --arg=iota[24] --arg=zeros[24] --arg=2 --arg=2 --arg=2 --arg=3
// test: run --entry=batches --arg=iota[24] --arg=zeros[24] --arg=2 --arg=2 --arg=2 --arg=3
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24]
// test: run-opt --entry=batches --arg=iota[1] --arg=zeros[1] --arg=1 --arg=1 --arg=1 --arg=1
// test: run --entry=batches --arg=iota[1] --arg=zeros[1] --arg=1 --arg=1 --arg=1 --arg=1
// expect: arg 1 = [0]
// test: run-opt --entry=chosen --arg=iota[3] --arg=iota[6] --arg=zeros[8] --arg=3 --arg=2
// test: run --entry=chosen --arg=iota[3] --arg=iota[6] --arg=zeros[8] --arg=3 --arg=2
// expect: arg 2 = [0, 1, 2, 3, 4, 5, 0, 0]

// Each element is doubled for each row that it is in: rows of %m elements, %w apart.
func.func @rows(%y: memref<?xi32>, %n: index, %w: index, %m: index, %o: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %0 = arith.muli %i, %w : index
      %1 = arith.addi %0, %j : index
      %2 = arith.addi %1, %o : index
      %3 = memref.load %y[%2] : memref<?xi32>
      %4 = arith.index_cast %i : index to i32
      %5 = arith.addi %3, %3 : i32
      %6 = arith.addi %5, %4 : i32
      memref.store %6, %y[%2] : memref<?xi32>
    }
  }
  return
}

// Products of a row and its length may wrap around to another row.
func.func @strides(%y: memref<?xi32>, %n: index, %w: index) {
  affine.for %i = 0 to %n step 4 {
    affine.for %j = 0 to 2 {
      %0 = arith.muli %i, %w : index
      %1 = arith.addi %0, %j : index
      %2 = memref.load %y[%1] : memref<?xi32>
      %3 = arith.index_cast %i : index to i32
      %4 = arith.addi %2, %2 : i32
      %5 = arith.addi %4, %3 : i32
      memref.store %5, %y[%1] : memref<?xi32>
    }
  }
  return
}

// The rows %i and %i + %h, and the columns %j and %j + %v, never meet.
func.func @halves(%x: memref<?xi32>, %y: memref<?xi32>, %n: index, %w: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = arith.divsi %n, %c2 : index
  %v = arith.divsi %w, %c2 : index
  affine.for %i = 0 to %h {
    affine.for %j = 0 to %v {
      %i2 = arith.muli %i, %c2 : index
      %j2 = arith.muli %j, %c2 : index
      %0 = arith.muli %i2, %w : index
      %1 = arith.addi %0, %j2 : index
      %2 = arith.addi %1, %c1 : index
      %3 = arith.addi %1, %w : index
      %4 = arith.addi %3, %c1 : index
      %a = memref.load %x[%1] : memref<?xi32>
      %b = memref.load %x[%2] : memref<?xi32>
      %c = memref.load %x[%3] : memref<?xi32>
      %d = memref.load %x[%4] : memref<?xi32>
      %5 = arith.muli %i, %w : index
      %6 = arith.addi %5, %j : index
      %7 = arith.addi %6, %v : index
      %8 = arith.addi %i, %h : index
      %9 = arith.muli %8, %w : index
      %10 = arith.addi %9, %j : index
      %11 = arith.addi %10, %v : index
      memref.store %a, %y[%6] : memref<?xi32>
      memref.store %b, %y[%7] : memref<?xi32>
      memref.store %c, %y[%10] : memref<?xi32>
      memref.store %d, %y[%11] : memref<?xi32>
    }
  }
  return
}

// Conditions keep the columns in range.
func.func @padded(%x: memref<?xi32>, %y: memref<?xi32>, %h: index, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to %h {
    affine.for %j = 0 to %w {
      %sum = affine.for %p = 0 to 3 iter_args(%s0 = %zero) -> (i32) {
        %s1 = affine.for %q = 0 to 3 iter_args(%s2 = %s0) -> (i32) {
          %0 = arith.addi %i, %p : index
          %r = arith.subi %0, %c1 : index
          %1 = arith.addi %j, %q : index
          %k = arith.subi %1, %c1 : index
          %2 = arith.cmpi sge, %r, %c0 : index
          %3 = arith.cmpi slt, %r, %h : index
          %4 = arith.cmpi sge, %k, %c0 : index
          %5 = arith.cmpi slt, %k, %w : index
          %6 = arith.andi %2, %3 : i1
          %7 = arith.andi %4, %5 : i1
          %8 = arith.andi %6, %7 : i1
          %s3 = scf.if %8 -> (i32) {
            %9 = arith.muli %r, %w : index
            %10 = arith.addi %9, %k : index
            %11 = memref.load %x[%10] : memref<?xi32>
            %12 = arith.addi %s2, %11 : i32
            scf.yield %12 : i32
          } else {
            scf.yield %s2 : i32
          }
          affine.yield %s3 : i32
        }
        affine.yield %s1 : i32
      }
      %13 = arith.muli %i, %w : index
      %14 = arith.addi %13, %j : index
      memref.store %sum, %y[%14] : memref<?xi32>
    }
  }
  return
}

// One colour of a checkerboard: columns and their number by remainders and quotients.
func.func @checkers(%u: memref<?xi32>, %h: index, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%h] {
    %0 = arith.addi %i, %c1 : index
    %r = arith.remsi %0, %c2 : index
    %1 = arith.subi %w, %c1 : index
    %2 = arith.subi %1, %r : index
    %n = arith.divsi %2, %c2 : index
    %up = arith.subi %i, %c1 : index
    scf.for %j = %c0 to %n step %c1 {
      %3 = arith.muli %j, %c2 : index
      %4 = arith.addi %3, %r : index
      %5 = arith.addi %4, %c1 : index
      %6 = arith.addi %4, %c2 : index
      %7 = arith.muli %up, %w : index
      %8 = arith.muli %0, %w : index
      %9 = arith.muli %i, %w : index
      %10 = arith.addi %7, %5 : index
      %11 = arith.addi %8, %5 : index
      %12 = arith.addi %9, %4 : index
      %13 = arith.addi %9, %6 : index
      %14 = arith.addi %9, %5 : index
      %a = memref.load %u[%10] : memref<?xi32>
      %b = memref.load %u[%11] : memref<?xi32>
      %c = memref.load %u[%12] : memref<?xi32>
      %d = memref.load %u[%13] : memref<?xi32>
      %15 = arith.addi %a, %b : i32
      %16 = arith.addi %15, %c : i32
      %17 = arith.subi %16, %d : i32
      memref.store %17, %u[%14] : memref<?xi32>
    }
  }
  return
}

// The last column is that before the next row.
func.func @mirrored(%x: memref<?xi32>, %y: memref<?xi32>, %n: index, %w: index) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %w {
      %0 = arith.muli %i, %w : index
      %1 = arith.addi %0, %j : index
      %a = memref.load %x[%1] : memref<?xi32>
      %2 = arith.addi %0, %w : index
      %3 = arith.subi %2, %c1 : index
      %4 = arith.subi %3, %j : index
      memref.store %a, %y[%4] : memref<?xi32>
    }
  }
  return
}

// Four dimensions.
func.func @batches(%x: memref<?xi32>, %y: memref<?xi32>, %n: index, %c: index, %h: index, %w: index) {
  affine.for %b = 0 to %n {
    affine.for %k = 0 to %c {
      affine.for %i = 0 to %h {
        affine.for %j = 0 to %w {
          %0 = arith.muli %b, %c : index
          %1 = arith.addi %0, %k : index
          %2 = arith.muli %1, %h : index
          %3 = arith.addi %2, %i : index
          %4 = arith.muli %3, %w : index
          %5 = arith.addi %4, %j : index
          %6 = memref.load %x[%5] : memref<?xi32>
          %7 = arith.index_cast %k : index to i32
          %8 = arith.addi %6, %7 : i32
          memref.store %8, %y[%5] : memref<?xi32>
        }
      }
    }
  }
  return
}

// Rows that a list names.
func.func @chosen(%l: memref<?xi32>, %x: memref<?xi32>, %y: memref<?xi32>, %n: index, %w: index) {
  affine.for %i = 0 to %n {
    %0 = affine.load %l[%i] : memref<?xi32>
    %r = arith.index_cast %0 : i32 to index
    affine.for %j = 0 to %w {
      %1 = arith.muli %i, %w : index
      %2 = arith.addi %1, %j : index
      %3 = arith.muli %r, %w : index
      %4 = arith.addi %3, %j : index
      %a = memref.load %x[%2] : memref<?xi32>
      %b = memref.load %y[%4] : memref<?xi32>
      %c = arith.addi %a, %b : i32
      memref.store %c, %y[%4] : memref<?xi32>
    }
  }
  return
}

// Stays: columns that nothing bounds, rows of a length that iterations choose, and an array whose size is asked for.
func.func @flat(%x: memref<?xi32>, %y: memref<?xi32>, %z: memref<?xi32>, %n: index, %w: index) -> index {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %w {
      %0 = arith.muli %i, %w : index
      %1 = arith.addi %0, %j : index
      %a = memref.load %z[%1] : memref<?xi32>
      %k = arith.index_cast %a : i32 to index
      %2 = arith.addi %0, %k : index
      memref.store %a, %x[%2] : memref<?xi32>
      %3 = arith.muli %i, %k : index
      %4 = arith.addi %3, %j : index
      memref.store %a, %y[%4] : memref<?xi32>
      memref.store %a, %z[%1] : memref<?xi32>
    }
  }
  %size = memref.dim %z, %c0 : memref<?xi32>
  return %size : index
}
