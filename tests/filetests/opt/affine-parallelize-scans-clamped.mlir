// test: opt --affine-parallelize-scans=target=cpu --cse
// test: run-opt --entry=level --arg=iota --arg=zeros
// test: run-opt --entry=best --arg=random:1
// test: run-opt --entry=left_unsigned --arg=random:1
// test: run-opt --entry=left_of_64_bits --arg=random:1
// test: run-opt --entry=left_without_a_number --arg=random:1

// The level of a store between empty and full.
func.func @level(%a: memref<9001xf32>, %b: memref<9001xf32>) {
  %x, %y = memref.distinct_objects %a, %b : memref<9001xf32>, memref<9001xf32>
  %empty = arith.constant 0.0 : f32
  %full = arith.constant 2.0 : f32
  affine.for %i = 0 to 9001 iter_args(%s = %empty) -> f32 {
    %v = affine.load %x[%i] : memref<9001xf32>
    %t = arith.addf %s, %v : f32
    %l = arith.maximumf %t, %empty : f32
    %n = arith.minimumf %l, %full : f32
    affine.store %n, %y[%i] : memref<9001xf32>
    affine.yield %n : f32
  }
  return
}

// The greatest sum of adjacent elements. Integers are summed up in 64 bits.
func.func @best(%x: memref<9001xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to 9001 iter_args(%s = %zero, %best = %zero) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<9001xi32>
    %t = arith.addi %s, %v : i32
    %c = arith.cmpi slt, %t, %zero : i32
    %n = arith.select %c, %zero, %t : i32
    %m = arith.maxsi %best, %n : i32
    affine.yield %n, %m : i32, i32
  }
  return %r#1 : i32
}

func.func @left_unsigned(%x: memref<9001xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %most = arith.constant 100 : i32
  %r = affine.for %i = 0 to 9001 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<9001xi32>
    %t = arith.addi %s, %v : i32
    %c = arith.cmpi ugt, %t, %most : i32
    %n = arith.select %c, %most, %t : i32
    affine.yield %n : i32
  }
  return %r : i32
}

// What wraps around in 64 bits needs more of them.
func.func @left_of_64_bits(%x: memref<9001xi64>) -> i64 {
  %zero = arith.constant 0 : i64
  %r = affine.for %i = 0 to 9001 iter_args(%s = %zero) -> i64 {
    %v = affine.load %x[%i] : memref<9001xi64>
    %t = arith.addi %s, %v : i64
    %n = arith.maxsi %t, %zero : i64
    affine.yield %n : i64
  }
  return %r : i64
}

// A comparison that the value decides, but that selects other values.
func.func @left_without_a_number(%x: memref<9001xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %r = affine.for %i = 0 to 9001 iter_args(%s = %zero) -> f32 {
    %v = affine.load %x[%i] : memref<9001xf32>
    %t = arith.addf %s, %v : f32
    %c = arith.cmpf ogt, %t, %one : f32
    %n = arith.select %c, %zero, %t : f32
    affine.yield %n : f32
  }
  return %r : f32
}
