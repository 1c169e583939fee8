// test: opt --affine-parallelize-reductions=target=cpu
// test: run-opt --entry=sum --arg=iota --arg=ones
// test: run-opt --entry=greatest_of_matrix --arg=random:1
// test: run-opt --entry=count_and_product --arg=random:1[9] --arg=6 --arg=random:1
// test: run-opt --entry=left_alone --arg=random:1 --arg=3
// test: stages --affine-parallelize-reductions=target=gpu

// Groups of 8 lanes, 4 sums a lane; 1002 is no multiple of 4, so a rest is left.
func.func @sum(%a: memref<1002xf32>, %s: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %all = affine.for %i = 0 to 1002 iter_args(%acc = %zero) -> f32 {
    %x = affine.load %a[%i] : memref<1002xf32>
    %y = arith.addf %acc, %x : f32
    affine.yield %y : f32
  }
  affine.store %all, %s[] : memref<f32>
  return
}

// Rows go to groups, columns to lanes. The result leaves the function, so the
// host combines.
func.func @greatest_of_matrix(%a: memref<300x128xi32>) -> i32 {
  %least = arith.constant -2147483648 : i32
  %all = affine.for %i = 0 to 300 iter_args(%above = %least) -> i32 {
    %row = affine.for %j = 0 to 128 iter_args(%acc = %above) -> i32 {
      %x = affine.load %a[%i, %j] : memref<300x128xi32>
      %y = arith.maxsi %acc, %x : i32
      affine.yield %y : i32
    }
    affine.yield %row : i32
  }
  return %all : i32
}

// A conditional count and a product at once; the number of iterations is known
// when the loop is reached.
func.func @count_and_product(%a: memref<?xi64>, %n: index, %c: memref<2xi64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = affine.for %i = 3 to %n step 2 iter_args(%count = %zero, %product = %one) -> (i64, i64) {
    %x = affine.load %a[%i] : memref<?xi64>
    %is = arith.cmpi sgt, %x, %zero : i64
    %next = scf.if %is -> i64 {
      %more = arith.addi %count, %one : i64
      scf.yield %more : i64
    } else {
      scf.yield %count : i64
    }
    %y = arith.muli %x, %product : i64
    affine.yield %next, %y : i64, i64
  }
  affine.store %r#0, %c[0] : memref<2xi64>
  affine.store %r#1, %c[1] : memref<2xi64>
  return
}

// Left alone: short, carried otherwise, seen on the way, and tied by memory.
func.func @left_alone(%a: memref<100xi32>, %z: i32) -> (i32, i32, i32, i32) {
  %short = affine.for %i = 0 to 63 iter_args(%acc = %z) -> i32 {
    %x = affine.load %a[%i] : memref<100xi32>
    %y = arith.addi %acc, %x : i32
    affine.yield %y : i32
  }
  %horner = affine.for %i = 0 to 100 iter_args(%acc = %z) -> i32 {
    %x = affine.load %a[%i] : memref<100xi32>
    %t = arith.muli %acc, %z : i32
    %y = arith.addi %t, %x : i32
    affine.yield %y : i32
  }
  %running = affine.for %i = 0 to 100 iter_args(%acc = %z) -> i32 {
    %x = affine.load %a[%i] : memref<100xi32>
    %y = arith.addi %acc, %x : i32
    affine.store %y, %a[%i] : memref<100xi32>
    affine.yield %y : i32
  }
  %tied = affine.for %i = 1 to 100 iter_args(%acc = %z) -> i32 {
    %x = affine.load %a[%i - 1] : memref<100xi32>
    %y = arith.addi %acc, %x : i32
    affine.store %x, %a[%i] : memref<100xi32>
    affine.yield %y : i32
  }
  return %short, %horner, %running, %tied : i32, i32, i32, i32
}
