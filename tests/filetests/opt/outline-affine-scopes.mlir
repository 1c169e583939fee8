// test: opt --outline-affine-scopes

// Products of parts of two matrices, each of a size that the loop around loads: a nest with much to do in each of its iterations,
// inside of few. What is computed of the size, and the constants, are computed again in the function.
// test: run-opt --entry=products --arg=iota[3] --arg=iota[4x4] --arg=ones[4x4] --arg=zeros[3x4x4]
// expect: arg 3 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 3, 0, 15, 15, 15, 0, 27, 27, 27, 0, 0, 0, 0, 0]
func.func @products(%sizes: memref<3xi32>, %a: memref<4x4xi32>, %b: memref<4x4xi32>, %c: memref<3x4x4xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %all = arith.constant 4 : index
  %none = arith.constant 0 : i32
  affine.for %e = 0 to 3 {
    %size = memref.load %sizes[%e] : memref<3xi32>
    %index = arith.index_cast %size : i32 to index
    %next = arith.addi %e, %one : index
    %n = arith.muli %index, %next : index
    %half = arith.divui %n, %two : index
    %m = arith.minsi %half, %all : index
    scf.for %i = %zero to %m step %one {
      scf.for %j = %zero to %m step %one {
        %sum = scf.for %k = %zero to %m step %one iter_args(%s = %none) -> (i32) {
          %x = memref.load %a[%i, %k] : memref<4x4xi32>
          %y = memref.load %b[%k, %j] : memref<4x4xi32>
          %p = arith.muli %x, %y : i32
          %t = arith.addi %s, %p : i32
          scf.yield %t : i32
        }
        memref.store %sum, %c[%e, %i, %j] : memref<3x4x4xi32>
      }
    }
  }
  return
}

// Sums over levels of a number that scf.while carries; the function returns what the nest does.
// test: run-opt --entry=levels --arg=iota[4x4]
// expect: result 0 = 130
func.func @levels(%a: memref<4x4xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %all = arith.constant 4 : index
  %none = arith.constant 0 : i32
  %last:2 = scf.while (%n = %all, %s = %none) : (index, i32) -> (index, i32) {
    %some = arith.cmpi sge, %n, %one : index
    scf.condition(%some) %n, %s : index, i32
  } do {
  ^bb0(%n: index, %s: i32):
    %sum = scf.for %i = %zero to %n step %one iter_args(%t = %s) -> (i32) {
      %row = scf.for %j = %zero to %n step %one iter_args(%u = %t) -> (i32) {
        %x = memref.load %a[%i, %j] : memref<4x4xi32>
        %more = arith.addi %u, %x : i32
        scf.yield %more : i32
      }
      scf.yield %row : i32
    }
    %half = arith.divui %n, %two : index
    scf.yield %half, %sum : index, i32
  }
  return %last#1 : i32
}

// Left where they are: the rows of a table, whose length each iteration of a parallel loop of many loads, …
// test: run-opt --entry=rows --arg=iota[101] --arg=ones[100] --arg=zeros[100]
func.func @rows(%starts: memref<101xi32>, %x: memref<100xi32>, %y: memref<100xi32>) {
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  affine.for %r = 0 to 100 {
    %from = affine.load %starts[%r] : memref<101xi32>
    %to = affine.load %starts[%r + 1] : memref<101xi32>
    %lower = arith.index_cast %from : i32 to index
    %upper = arith.index_cast %to : i32 to index
    %sum = scf.for %k = %lower to %upper step %one iter_args(%s = %none) -> (i32) {
      %all = affine.for %l = 0 to 100 iter_args(%u = %s) -> (i32) {
        %v = affine.load %x[%l] : memref<100xi32>
        %t = arith.addi %u, %v : i32
        affine.yield %t : i32
      }
      scf.yield %all : i32
    }
    affine.store %sum, %y[%r] : memref<100xi32>
  }
  return
}

// … a single loop, …
// test: run-opt --entry=single --arg=iota[8]
func.func @single(%a: memref<8xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %all = arith.constant 8 : index
  %last = scf.while (%n = %all) : (index) -> index {
    %some = arith.cmpi sge, %n, %one : index
    scf.condition(%some) %n : index
  } do {
  ^bb0(%n: index):
    scf.for %i = %zero to %n step %one {
      %x = memref.load %a[%i] : memref<8xi32>
      %y = arith.addi %x, %x : i32
      memref.store %y, %a[%i] : memref<8xi32>
    }
    %half = arith.divui %n, %two : index
    scf.yield %half : index
  }
  return
}

// … and a nest with a bound that it loads itself.
// test: run-opt --entry=loads --arg=ones[4] --arg=zeros[4]
func.func @loads(%sizes: memref<4xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %all = arith.constant 4 : index
  %unit = arith.constant 1 : i32
  %last = scf.while (%n = %all) : (index) -> index {
    %some = arith.cmpi sge, %n, %one : index
    scf.condition(%some) %n : index
  } do {
  ^bb0(%n: index):
    scf.for %i = %zero to %n step %one {
      %size = memref.load %sizes[%i] : memref<4xi32>
      %to = arith.index_cast %size : i32 to index
      scf.for %k = %zero to %to step %one {
        memref.store %unit, %y[%i] : memref<4xi32>
      }
    }
    %half = arith.divui %n, %two : index
    scf.yield %half : index
  }
  return
}
