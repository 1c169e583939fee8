// Windows of 7 by 7 and dilated ones of 5 by 5, of which rows are unrolled and the loops around them stay; rows of 19; and a
// window whose columns are the outer loop. Elements count up, so that each sum is known: a window of m by n around
// (i, j) in rows of length w sums to m n (i w + j) in its middle.
//
// test: run --entry=square --arg=iota --arg=zeros
// expect: result 0 = 0
// test: run --entry=dilated --arg=iota --arg=zeros
// expect: result 0 = 0
// test: run --entry=row --arg=iota --arg=zeros
// expect: result 0 = 0
// test: run --entry=columns --arg=iota --arg=zeros
// expect: result 0 = 0

func.func @square(%x: memref<45x60xi32>, %y: memref<39x54xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 39 {
    affine.for %j = 0 to 54 {
      %s = affine.for %u = 0 to 7 iter_args(%t = %zero) -> (i32) {
        %r = affine.for %v = 0 to 7 iter_args(%q = %t) -> (i32) {
          %e = affine.load %x[%i + 1 * %u, %j + 1 * %v] : memref<45x60xi32>
          %n = arith.addi %q, %e : i32
          affine.yield %n : i32
        }
        affine.yield %r : i32
      }
      affine.store %s, %y[%i, %j] : memref<39x54xi32>
    }
  }
  %width = arith.constant 60 : i32
  %down = arith.constant 3 : i32
  %right = arith.constant 3 : i32
  %size = arith.constant 49 : i32
  %wrong = affine.for %i = 0 to 39 iter_args(%f = %zero) -> (i32) {
    %in_row = affine.for %j = 0 to 54 iter_args(%g = %f) -> (i32) {
      %row = arith.index_cast %i : index to i32
      %column = arith.index_cast %j : index to i32
      %mid_row = arith.addi %row, %down : i32
      %before = arith.muli %mid_row, %width : i32
      %mid_column = arith.addi %column, %right : i32
      %middle = arith.addi %before, %mid_column : i32
      %sum = arith.muli %middle, %size : i32
      %found = affine.load %y[%i, %j] : memref<39x54xi32>
      %way = arith.xori %sum, %found : i32
      %h = arith.ori %g, %way : i32
      affine.yield %h : i32
    }
    affine.yield %in_row : i32
  }
  return %wrong : i32
}

func.func @dilated(%x: memref<45x59xi32>, %y: memref<37x51xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 37 {
    affine.for %j = 0 to 51 {
      %s = affine.for %u = 0 to 5 iter_args(%t = %zero) -> (i32) {
        %r = affine.for %v = 0 to 5 iter_args(%q = %t) -> (i32) {
          %e = affine.load %x[%i + 2 * %u, %j + 2 * %v] : memref<45x59xi32>
          %n = arith.addi %q, %e : i32
          affine.yield %n : i32
        }
        affine.yield %r : i32
      }
      affine.store %s, %y[%i, %j] : memref<37x51xi32>
    }
  }
  %width = arith.constant 59 : i32
  %down = arith.constant 4 : i32
  %right = arith.constant 4 : i32
  %size = arith.constant 25 : i32
  %wrong = affine.for %i = 0 to 37 iter_args(%f = %zero) -> (i32) {
    %in_row = affine.for %j = 0 to 51 iter_args(%g = %f) -> (i32) {
      %row = arith.index_cast %i : index to i32
      %column = arith.index_cast %j : index to i32
      %mid_row = arith.addi %row, %down : i32
      %before = arith.muli %mid_row, %width : i32
      %mid_column = arith.addi %column, %right : i32
      %middle = arith.addi %before, %mid_column : i32
      %sum = arith.muli %middle, %size : i32
      %found = affine.load %y[%i, %j] : memref<37x51xi32>
      %way = arith.xori %sum, %found : i32
      %h = arith.ori %g, %way : i32
      affine.yield %h : i32
    }
    affine.yield %in_row : i32
  }
  return %wrong : i32
}

func.func @row(%x: memref<30x80xi32>, %y: memref<30x62xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to 62 {
      %s = affine.for %u = 0 to 1 iter_args(%t = %zero) -> (i32) {
        %r = affine.for %v = 0 to 19 iter_args(%q = %t) -> (i32) {
          %e = affine.load %x[%i + 1 * %u, %j + 1 * %v] : memref<30x80xi32>
          %n = arith.addi %q, %e : i32
          affine.yield %n : i32
        }
        affine.yield %r : i32
      }
      affine.store %s, %y[%i, %j] : memref<30x62xi32>
    }
  }
  %width = arith.constant 80 : i32
  %down = arith.constant 0 : i32
  %right = arith.constant 9 : i32
  %size = arith.constant 19 : i32
  %wrong = affine.for %i = 0 to 30 iter_args(%f = %zero) -> (i32) {
    %in_row = affine.for %j = 0 to 62 iter_args(%g = %f) -> (i32) {
      %row = arith.index_cast %i : index to i32
      %column = arith.index_cast %j : index to i32
      %mid_row = arith.addi %row, %down : i32
      %before = arith.muli %mid_row, %width : i32
      %mid_column = arith.addi %column, %right : i32
      %middle = arith.addi %before, %mid_column : i32
      %sum = arith.muli %middle, %size : i32
      %found = affine.load %y[%i, %j] : memref<30x62xi32>
      %way = arith.xori %sum, %found : i32
      %h = arith.ori %g, %way : i32
      affine.yield %h : i32
    }
    affine.yield %in_row : i32
  }
  return %wrong : i32
}

func.func @columns(%x: memref<40x60xi32>, %y: memref<36x56xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 36 {
    affine.for %j = 0 to 56 {
      %s = affine.for %v = 0 to 5 iter_args(%t = %zero) -> (i32) {
        %r = affine.for %u = 0 to 5 iter_args(%q = %t) -> (i32) {
          %e = affine.load %x[%i + 1 * %u, %j + 1 * %v] : memref<40x60xi32>
          %n = arith.addi %q, %e : i32
          affine.yield %n : i32
        }
        affine.yield %r : i32
      }
      affine.store %s, %y[%i, %j] : memref<36x56xi32>
    }
  }
  %width = arith.constant 60 : i32
  %down = arith.constant 2 : i32
  %right = arith.constant 2 : i32
  %size = arith.constant 25 : i32
  %wrong = affine.for %i = 0 to 36 iter_args(%f = %zero) -> (i32) {
    %in_row = affine.for %j = 0 to 56 iter_args(%g = %f) -> (i32) {
      %row = arith.index_cast %i : index to i32
      %column = arith.index_cast %j : index to i32
      %mid_row = arith.addi %row, %down : i32
      %before = arith.muli %mid_row, %width : i32
      %mid_column = arith.addi %column, %right : i32
      %middle = arith.addi %before, %mid_column : i32
      %sum = arith.muli %middle, %size : i32
      %found = affine.load %y[%i, %j] : memref<36x56xi32>
      %way = arith.xori %sum, %found : i32
      %h = arith.ori %g, %way : i32
      affine.yield %h : i32
    }
    affine.yield %in_row : i32
  }
  return %wrong : i32
}
