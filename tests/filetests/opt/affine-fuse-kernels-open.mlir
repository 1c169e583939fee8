// Nests whose bounds only the run finds to be equal have versions: one in which they are fused, and one as they stand.
// test: opt --affine-fuse-kernels
// test: run-opt --entry=symbol_behind --arg=iota[6] --arg=zeros[6] --arg=zeros
// expect: arg 1 = [5, 6, 7, 8, 9, 10]
// expect: arg 2 = [3, 3, 3, 3, 3, 3, 3, 3]
// test: run-opt --entry=symbol_behind --arg=iota[6] --arg=zeros[9] --arg=zeros
// expect: arg 1 = [5, 6, 7, 8, 9, 10, 5, 5, 5]
// expect: arg 2 = [3, 3, 3, 3, 3, 3, 3, 3]
// test: run-opt --entry=columns --arg=iota[2x3x2] --arg=ones[2x2]
// test: run --no-specialize --entry=columns --arg=iota[2x3x2] --arg=ones[2x2]
// expect: arg 1 = [6, 9, 24, 27]
// test: run-opt --entry=columns --arg=iota[2x3x2] --arg=ones[3x3]
// test: run --no-specialize --entry=columns --arg=iota[2x3x2] --arg=ones[3x3]
// expect: arg 1 = [6, 9, 0, 24, 27, 0, 0, 0, 0]
// test: run-opt --entry=columns --arg=iota[2x0x2] --arg=ones[2x2]
// test: run --no-specialize --entry=columns --arg=iota[2x0x2] --arg=ones[2x2]
// expect: arg 1 = [0, 0, 0, 0]
// test: run --no-specialize --entry=columns --arg=iota[0x3x2] --arg=ones[1x2]
// expect: arg 1 = [0, 0]
// test: run --no-specialize --entry=columns --arg=ones[1x1x1] --arg=iota[1x1]
// expect: arg 1 = [1]
// test: run-opt --entry=scaled_sums --arg=iota[2x3] --arg=ones[2] --arg=zeros[2]
// test: run --no-specialize --entry=scaled_sums --arg=iota[2x3] --arg=ones[2] --arg=zeros[2]
// expect: arg 1 = [3, 12]
// expect: arg 2 = [6, 24]
// test: run --no-specialize --entry=scaled_sums --arg=iota[2x3] --arg=ones[4] --arg=zeros[2]
// expect: arg 1 = [3, 12, 0, 0]
// expect: arg 2 = [6, 24]
// test: run-opt --entry=twice_as_long --arg=iota[2] --arg=ones[4]
// test: run --no-specialize --entry=twice_as_long --arg=iota[2] --arg=ones[4]
// expect: arg 1 = [0, 1, 2, 3]
// test: run --no-specialize --entry=twice_as_long --arg=iota[2] --arg=ones[5]
// expect: arg 1 = [0, 1, 2, 3, 0]
// test: run-opt --entry=counted --arg=iota[3] --arg=zeros[3]
// expect: arg 1 = [0, 1, 2]
// expect: result 0 = 3
// test: run --no-specialize --entry=columns --arg=random:1[31x17x67] --arg=ones[31x67]

// Sums along the middle dimension, as libraries of whole-array operations write them: the result is filled by its own sizes.
func.func @columns(%x: memref<?x?x?xi32>, %y: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %y, %c0 : memref<?x?xi32>
  %n = memref.dim %y, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.store %zero, %y[%i, %j] : memref<?x?xi32>
    }
  }
  %p = memref.dim %x, %c0 : memref<?x?x?xi32>
  %q = memref.dim %x, %c1 : memref<?x?x?xi32>
  %r = memref.dim %x, %c2 : memref<?x?x?xi32>
  affine.for %i = 0 to %p {
    affine.for %j = 0 to %r {
      affine.for %k = 0 to %q {
        %a = affine.load %x[%i, %k, %j] : memref<?x?x?xi32>
        %b = affine.load %y[%i, %j] : memref<?x?xi32>
        %s = arith.addi %a, %b : i32
        affine.store %s, %y[%i, %j] : memref<?x?xi32>
      }
    }
  }
  return
}

// The nest behind is copied as well; it has the sizes of the second nest.
func.func @scaled_sums(%x: memref<?x?xi32>, %y: memref<?xi32>, %z: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %m = memref.dim %y, %c0 : memref<?xi32>
  affine.for %i = 0 to %m {
    affine.store %zero, %y[%i] : memref<?xi32>
  }
  %p = memref.dim %x, %c0 : memref<?x?xi32>
  %q = memref.dim %x, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %p {
    affine.for %k = 0 to %q {
      %a = affine.load %x[%i, %k] : memref<?x?xi32>
      %b = affine.load %y[%i] : memref<?xi32>
      %s = arith.addi %a, %b : i32
      affine.store %s, %y[%i] : memref<?xi32>
    }
  }
  affine.for %i = 0 to %p {
    %s = affine.load %y[%i] : memref<?xi32>
    %t = arith.muli %s, %two : i32
    affine.store %t, %z[%i] : memref<?xi32>
  }
  return
}

// Bounds may be sums of sizes, in numbers that cannot wrap around.
func.func @twice_as_long(%x: memref<?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %y, %c0 : memref<?xi32>
  %n = memref.dim %x, %c0 : memref<?xi32>
  %limit = arith.constant 1000000 : index
  %small = arith.cmpi sle, %n, %limit : index
  scf.if %small {
    affine.for %i = 0 to %m {
      affine.store %zero, %y[%i] : memref<?xi32>
    }
    affine.for %i = 0 to affine_map<()[s0] -> (s0 * 2)>()[%n] {
      %j = arith.index_cast %i : index to i32
      %b = affine.load %y[%i] : memref<?xi32>
      %s = arith.addi %j, %b : i32
      affine.store %s, %y[%i] : memref<?xi32>
    }
  }
  return
}

// A number that the function returns is computed in front of the test; what a loop returns keeps the loop out.
func.func @counted(%x: memref<?xi32>, %y: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %y, %c0 : memref<?xi32>
  affine.for %i = 0 to %m {
    affine.store %zero, %y[%i] : memref<?xi32>
  }
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<?xi32>
    %b = affine.load %y[%i] : memref<?xi32>
    %s = arith.addi %a, %b : i32
    affine.store %s, %y[%i] : memref<?xi32>
  }
  %sum = affine.for %i = 0 to %n iter_args(%acc = %zero) -> i32 {
    %a = affine.load %y[%i] : memref<?xi32>
    %s = arith.addi %acc, %a : i32
    affine.yield %s : i32
  }
  return %sum : i32
}

// Not done: the first element of the second nest is another one than that of the first, and a constant size never equals another.
func.func @refused(%x: memref<?xi32>, %y: memref<?xi32>, %z: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %y, %c0 : memref<?xi32>
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to %m {
    affine.store %zero, %y[%i] : memref<?xi32>
  }
  affine.for %i = 1 to %n {
    %b = affine.load %y[%i] : memref<?xi32>
    affine.store %b, %x[%i] : memref<?xi32>
  }
  affine.for %i = 0 to 8 {
    affine.store %zero, %z[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 6 {
    %b = affine.load %z[%i] : memref<8xi32>
    %s = arith.addi %b, %b : i32
    affine.store %s, %z[%i] : memref<8xi32>
  }
  return
}

// What follows two nests is copied with them up to the sum, which is a symbol of the last nest and would be none in a branch.
func.func @symbol_behind(%x: memref<?xi32>, %y: memref<?xi32>, %z: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : i32
  %m = memref.dim %x, %c0 : memref<?xi32>
  %n = memref.dim %y, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    affine.store %c5, %y[%i] : memref<?xi32>
  }
  affine.for %i = 0 to %m {
    %u = affine.load %x[%i] : memref<?xi32>
    %v = affine.load %y[%i] : memref<?xi32>
    %w = arith.addi %u, %v : i32
    affine.store %w, %y[%i] : memref<?xi32>
  }
  %sum = affine.for %i = 0 to 4 iter_args(%s = %c5) -> (i32) {
    %v = affine.load %y[%i] : memref<?xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  %place = arith.index_cast %sum : i32 to index
  affine.for %i = 0 to 8 {
    %v = affine.load %x[symbol(%place) mod 4] : memref<?xi32>
    affine.store %v, %z[%i] : memref<8xi32>
  }
  return
}
