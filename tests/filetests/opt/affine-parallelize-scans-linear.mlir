// test: opt --affine-parallelize-scans=target=cpu --cse
// test: run-opt --entry=hash --arg=random:1
// test: run-opt --entry=generator --arg=12345 --arg=zeros
// test: run-opt --entry=filter --arg=iota --arg=zeros
// test: run-opt --entry=left_squared --arg=random:1
// test: run-opt --entry=left_masked_before_the_end --arg=random:1
// test: run-opt --entry=left_narrowed --arg=random:1
// test: run-opt --entry=left_with_the_reciprocal --arg=1.5

// Nothing but the value is computed, so that two steps suffice.
func.func @hash(%x: memref<9001xi32>) -> i32 {
  %from = arith.constant 5381 : i32
  %factor = arith.constant 33 : i32
  %r = affine.for %i = 0 to 9001 iter_args(%h = %from) -> i32 {
    %v = affine.load %x[%i] : memref<9001xi32>
    %p = arith.muli %h, %factor : i32
    %n = arith.addi %p, %v : i32
    affine.yield %n : i32
  }
  return %r : i32
}

// A generator modulo 2^31, and the sum of what it generates.
func.func @generator(%seed: i32, %y: memref<9001xi32>) -> i32 {
  %factor = arith.constant 1103515245 : i32
  %term = arith.constant 12345 : i32
  %mask = arith.constant 2147483647 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to 9001 iter_args(%s = %seed, %sum = %zero) -> (i32, i32) {
    %p = arith.muli %s, %factor : i32
    %q = arith.addi %p, %term : i32
    %n = arith.andi %q, %mask : i32
    %high = arith.shrui %n, %c16 : i32
    %t = arith.addi %sum, %high : i32
    affine.store %high, %y[%i] : memref<9001xi32>
    affine.yield %n, %t : i32, i32
  }
  return %r#1 : i32
}

// Two values that depend on each other. A chunk with large coefficients is run from its initial values. All values of the
// test are integers, so that no order of operations rounds.
func.func @filter(%a: memref<9001xf32>, %b: memref<9001xf32>) {
  %x, %y = memref.distinct_objects %a, %b : memref<9001xf32>, memref<9001xf32>
  %zero = arith.constant 0.0 : f32
  %a1 = arith.constant -1.0 : f32
  %a2 = arith.constant 1.0 : f32
  affine.for %i = 0 to 9001 iter_args(%w1 = %zero, %w2 = %zero) -> (f32, f32) {
    %v = affine.load %x[%i] : memref<9001xf32>
    %p = arith.mulf %w1, %a1 : f32
    %q = arith.mulf %w2, %a2 : f32
    %s = arith.addf %v, %p : f32
    %w = arith.subf %s, %q : f32
    affine.store %w, %y[%i] : memref<9001xf32>
    affine.yield %w, %w1 : f32, f32
  }
  return
}

func.func @left_squared(%x: memref<9001xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to 9001 iter_args(%h = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<9001xi32>
    %p = arith.muli %h, %h : i32
    %n = arith.addi %p, %v : i32
    affine.yield %n : i32
  }
  return %r : i32
}

// The bits that the mask cuts off are not those that the product loses.
func.func @left_masked_before_the_end(%x: memref<9001xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %mask = arith.constant 65535 : i32
  %r = affine.for %i = 0 to 9001 iter_args(%h = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<9001xi32>
    %m = arith.andi %h, %mask : i32
    %n = arith.muli %m, %v : i32
    affine.yield %n : i32
  }
  return %r : i32
}

func.func @left_narrowed(%x: memref<9001xi32>) -> i32 {
  %zero = arith.constant 7 : i32
  %r = affine.for %i = 0 to 9001 iter_args(%h = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<9001xi32>
    %m = arith.trunci %h : i32 to i16
    %w = arith.extsi %m : i16 to i32
    %n = arith.muli %w, %v : i32
    affine.yield %n : i32
  }
  return %r : i32
}

func.func @left_with_the_reciprocal(%from: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %r = affine.for %i = 0 to 9001 iter_args(%h = %from) -> f32 {
    %p = arith.divf %one, %h : f32
    %n = arith.addf %p, %one : f32
    affine.yield %n : f32
  }
  return %r : f32
}
