// Dimensions of sizes that the run knows, which nests walk together: images of channels less the mean of their channel.
// test: opt --affine-collapse-open-dimensions
// test: run-opt --entry=images --arg=iota[2x2x2x3] --arg=iota[2] --arg=zeros[2x2x2x3]
// test: run --entry=images --arg=iota[2x2x2x3] --arg=iota[2] --arg=zeros[2x2x2x3]
// expect: arg 2 = [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 17, 18, 19, 20, 21, 22]
// Rows of another length, more rows, and more channels.
// test: run-opt --entry=images --arg=iota[1x2x2x3] --arg=iota[2] --arg=ones[1x2x2x4]
// test: run --entry=images --arg=iota[1x2x2x3] --arg=iota[2] --arg=ones[1x2x2x4]
// expect: arg 2 = [0, 1, 2, 1, 3, 4, 5, 1, 5, 6, 7, 1, 8, 9, 10, 1]
// test: run-opt --entry=images --arg=iota[1x2x1x3] --arg=iota[2] --arg=ones[1x3x2x3]
// test: run --entry=images --arg=iota[1x2x1x3] --arg=iota[2] --arg=ones[1x3x2x3]
// expect: arg 2 = [0, 1, 2, 1, 1, 1, 2, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1]
// test: run-opt --entry=bounds --arg=2 --arg=2 --arg=3 --arg=iota[2x2x3] --arg=zeros[2x2x3]
// test: run --entry=bounds --arg=2 --arg=2 --arg=3 --arg=iota[2x2x3] --arg=zeros[2x2x3]
// expect: arg 4 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]
// test: run-opt --entry=bounds --arg=2 --arg=1 --arg=2 --arg=iota[2x2x3] --arg=zeros[2x2x3]
// test: run --entry=bounds --arg=2 --arg=1 --arg=2 --arg=iota[2x2x3] --arg=zeros[2x2x3]
// expect: arg 4 = [0, 2, 0, 0, 0, 0, 12, 14, 0, 0, 0, 0]
// Two ends below zero have a product above it.
// test: run-opt --entry=bounds --arg=2 --arg=-1 --arg=-3 --arg=iota[2x2x3] --arg=zeros[2x2x3]
// test: run --entry=bounds --arg=2 --arg=-1 --arg=-3 --arg=iota[2x2x3] --arg=zeros[2x2x3]
// test: run --entry=bounds --arg=2 --arg=-1 --arg=3 --arg=iota[2x2x3] --arg=zeros[2x2x3]
// expect: arg 4 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// test: run-opt --entry=sum --arg=iota[2x3x2x5] --arg=zeros[3x2]
// test: run --entry=sum --arg=iota[2x3x2x5] --arg=zeros[3x2]
// expect: arg 1 = [390, 12270, 590, 22070, 790, 35870]
// test: run-opt --entry=rows --arg=iota[2x2x2x3] --arg=iota[2x2x2x3]
// test: run --entry=rows --arg=iota[2x2x2x3] --arg=iota[2x2x2x3]
// expect: arg 1 = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
// expect: result 0 = 3
// test: run-opt --entry=turned --arg=iota[2x2x3] --arg=zeros[2x3x2]

func.func @images(%x: memref<?x?x?x?xi32>, %m: memref<?xi32>, %y: memref<?x?x?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?x?x?x?xi32>
  %c = memref.dim %x, %c1 : memref<?x?x?x?xi32>
  %h = memref.dim %x, %c2 : memref<?x?x?x?xi32>
  %w = memref.dim %x, %c3 : memref<?x?x?x?xi32>
  affine.for %b = 0 to %n {
    affine.for %k = 0 to %c {
      affine.for %i = 0 to %h {
        affine.for %j = 0 to %w {
          %0 = affine.load %x[%b, %k, %i, %j] : memref<?x?x?x?xi32>
          %1 = affine.load %m[%k] : memref<?xi32>
          %2 = arith.subi %0, %1 : i32
          affine.store %2, %y[%b, %k, %i, %j] : memref<?x?x?x?xi32>
        }
      }
    }
  }
  return
}

// Ends that are arguments: they may be below zero, or less than the sizes.
func.func @bounds(%n: index, %h: index, %w: index, %x: memref<?x?x?xi32>, %y: memref<?x?x?xi32>) {
  affine.for %b = 0 to %n {
    affine.for %i = 0 to %h {
      affine.for %j = 0 to %w {
        %0 = affine.load %x[%b, %i, %j] : memref<?x?x?xi32>
        %1 = arith.addi %0, %0 : i32
        affine.store %1, %y[%b, %i, %j] : memref<?x?x?xi32>
      }
    }
  }
  return
}

// Sums and sums of squares of channels need no test: all sizes are the array's own.
func.func @sum(%x: memref<?x?x?x?xi32>, %s: memref<?x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?x?x?x?xi32>
  %c = memref.dim %x, %c1 : memref<?x?x?x?xi32>
  %h = memref.dim %x, %c2 : memref<?x?x?x?xi32>
  %w = memref.dim %x, %c3 : memref<?x?x?x?xi32>
  affine.for %k = 0 to %c {
    %r:2 = affine.for %b = 0 to %n iter_args(%a0 = %z, %q0 = %z) -> (i32, i32) {
      %s1:2 = affine.for %i = 0 to %h iter_args(%a1 = %a0, %q1 = %q0) -> (i32, i32) {
        %t:2 = affine.for %j = 0 to %w iter_args(%a2 = %a1, %q2 = %q1) -> (i32, i32) {
          %0 = affine.load %x[%b, %k, %i, %j] : memref<?x?x?x?xi32>
          %1 = arith.addi %a2, %0 : i32
          %2 = arith.muli %0, %0 : i32
          %3 = arith.addi %q2, %2 : i32
          affine.yield %1, %3 : i32, i32
        }
        affine.yield %t#0, %t#1 : i32, i32
      }
      affine.yield %s1#0, %s1#1 : i32, i32
    }
    affine.store %r#0, %s[%k, 0] : memref<?x2xi32>
    affine.store %r#1, %s[%k, 1] : memref<?x2xi32>
  }
  return
}

// Both pairs of loops join; the length of a row is used, and a result.
func.func @rows(%x: memref<?x?x?x?xi32>, %y: memref<?x?x?x?xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %five = arith.constant 5 : i32
  %n = memref.dim %x, %c0 : memref<?x?x?x?xi32>
  %c = memref.dim %x, %c1 : memref<?x?x?x?xi32>
  %h = memref.dim %y, %c2 : memref<?x?x?x?xi32>
  %w = memref.dim %x, %c3 : memref<?x?x?x?xi32>
  %l = arith.index_cast %w : index to i32
  %d = arith.addi %l, %five : i32
  affine.for %b = 0 to %n {
    affine.for %k = 0 to %c {
      affine.for %i = 0 to %h {
        affine.for %j = 0 to %w {
          %0 = affine.load %x[%b, %k, %i, %j] : memref<?x?x?x?xi32>
          %1 = arith.addi %0, %d : i32
          affine.store %1, %y[%b, %k, %i, %j] : memref<?x?x?x?xi32>
        }
      }
    }
  }
  return %w : index
}

// An array that is turned keeps the loops apart.
func.func @turned(%x: memref<?x?x?xi32>, %y: memref<?x?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?x?x?xi32>
  %h = memref.dim %x, %c1 : memref<?x?x?xi32>
  %w = memref.dim %x, %c2 : memref<?x?x?xi32>
  affine.for %b = 0 to %n {
    affine.for %i = 0 to %h {
      affine.for %j = 0 to %w {
        %0 = affine.load %x[%b, %i, %j] : memref<?x?x?xi32>
        affine.store %0, %y[%b, %j, %i] : memref<?x?x?xi32>
      }
    }
  }
  return
}
