// test: run --entry=hash --arg=iota
// expect: result 0 = -1247721511
// test: run --entry=generator --arg=12345 --arg=zeros
// expect: result 0 = 199688473
// expect: result 1 = 327759812
// expect: arg 1 = [21468, 21176, 3047]
// test: run --entry=accepted --arg=12345 --arg=zeros
// expect: result 0 = 5484
// expect: arg 1 = [3498, 2828, 3047]
// test: run --entry=fibonacci --arg=10000
// expect: result 0 = 1242044891
// expect: result 1 = 2132534333
// test: run --entry=of_48_bits --arg=42
// expect: result 0 = 273857310259573
// test: run --entry=filter --arg=zeros
// expect: arg 0 = [1, 1500, 3000]
// test: run --entry=keeps_its_value
// expect: result 0 = 1
// test: run --entry=best
// expect: result 0 = 159
// test: run --entry=longest
// expect: result 0 = 21
// test: run --entry=greatest_prefix
// expect: result 0 = 37
// test: run --entry=level --arg=zeros
// expect: arg 0 = [0, 65, 0, 429104]
// test: run --entry=wraps_around --arg=zeros
// expect: arg 0 = [1073741819, 2147483643, 2147483638, -100, -914720]
// test: run --entry=meets_infinity --arg=zeros
// expect: arg 0 = [1, inf, 3, 3]
// test: run --entry=fed_back --arg=zeros
// expect: arg 0 = [1, 1500, 3000]
// test: run --map-for=gpu --entry=generator --arg=12345 --arg=zeros
// expect: result 0 = 199688473
// expect: result 1 = 327759812
// expect: arg 1 = [21468, 21176, 3047]
// test: run --map-for=gpu --entry=filter --arg=zeros
// expect: arg 0 = [1, 1500, 3000]
// test: run --map-for=gpu --entry=level --arg=zeros
// expect: arg 0 = [0, 65, 0, 429104]
// The expected values are those of the same loops in Python.

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

// Modulo 2^31, with the sum of the high bits.
func.func @generator(%seed: i32, %o: memref<3xi32>) -> (i32, i32) {
  %y = memref.alloc() : memref<20000xi32>
  %factor = arith.constant 1103515245 : i32
  %term = arith.constant 12345 : i32
  %mask = arith.constant 2147483647 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to 20000 iter_args(%s = %seed, %sum = %zero) -> (i32, i32) {
    %p = arith.muli %s, %factor : i32
    %q = arith.addi %p, %term : i32
    %n = arith.andi %q, %mask : i32
    %high = arith.shrui %n, %c16 : i32
    %t = arith.addi %sum, %high : i32
    affine.store %high, %y[%i] : memref<20000xi32>
    affine.yield %n, %t : i32, i32
  }
  %0 = affine.load %y[0] : memref<20000xi32>
  %1 = affine.load %y[9999] : memref<20000xi32>
  %2 = affine.load %y[19999] : memref<20000xi32>
  affine.store %0, %o[0] : memref<3xi32>
  affine.store %1, %o[1] : memref<3xi32>
  affine.store %2, %o[2] : memref<3xi32>
  memref.dealloc %y : memref<20000xi32>
  return %r#0, %r#1 : i32, i32
}

// What is generated decides where it is stored.
func.func @accepted(%seed: i32, %o: memref<3xi32>) -> index {
  %y = memref.alloc() : memref<20000xi32>
  %factor = arith.constant 1103515245 : i32
  %term = arith.constant 12345 : i32
  %mask = arith.constant 2147483647 : i32
  %c16 = arith.constant 16 : i32
  %limit = arith.constant 9000 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = affine.for %i = 0 to 20000 iter_args(%s = %seed, %k = %c0) -> (i32, index) {
    %p = arith.muli %s, %factor : i32
    %q = arith.addi %p, %term : i32
    %n = arith.andi %q, %mask : i32
    %high = arith.shrui %n, %c16 : i32
    %is_low = arith.cmpi slt, %high, %limit : i32
    scf.if %is_low {
      memref.store %high, %y[%k] : memref<20000xi32>
    }
    %one = arith.select %is_low, %c1, %c0 : index
    %m = arith.addi %k, %one : index
    affine.yield %n, %m : i32, index
  }
  %c100 = arith.constant 100 : index
  %last = arith.subi %r#1, %c1 : index
  %0 = memref.load %y[%c0] : memref<20000xi32>
  %1 = memref.load %y[%c100] : memref<20000xi32>
  %2 = memref.load %y[%last] : memref<20000xi32>
  affine.store %0, %o[0] : memref<3xi32>
  affine.store %1, %o[1] : memref<3xi32>
  affine.store %2, %o[2] : memref<3xi32>
  memref.dealloc %y : memref<20000xi32>
  return %r#1 : index
}

func.func @fibonacci(%n: index) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = affine.for %i = 0 to %n iter_args(%a = %zero, %b = %one) -> (i32, i32) {
    %sum = arith.addi %a, %b : i32
    affine.yield %b, %sum : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @of_48_bits(%seed: i64) -> i64 {
  %factor = arith.constant 25214903917 : i64
  %term = arith.constant 11 : i64
  %mask = arith.constant 281474976710655 : i64
  %r = affine.for %i = 0 to 9001 iter_args(%s = %seed) -> i64 {
    %p = arith.muli %s, %factor : i64
    %q = arith.addi %p, %term : i64
    %n = arith.andi %q, %mask : i64
    affine.yield %n : i64
  }
  return %r : i64
}

// Two values that depend on each other, all of them integers.
func.func @filter(%o: memref<3xf32>) {
  %y = memref.alloc() : memref<9001xf32>
  %zero = arith.constant 0.0 : f32
  %a1 = arith.constant -1.0 : f32
  affine.for %i = 0 to 9001 iter_args(%w1 = %zero, %w2 = %zero) -> (f32, f32) {
    %k = arith.index_cast %i : index to i32
    %v = arith.sitofp %k : i32 to f32
    %p = arith.mulf %w1, %a1 : f32
    %s = arith.addf %v, %p : f32
    %w = arith.subf %s, %w2 : f32
    affine.store %w, %y[%i] : memref<9001xf32>
    affine.yield %w, %w1 : f32, f32
  }
  %0 = affine.load %y[1] : memref<9001xf32>
  %1 = affine.load %y[4500] : memref<9001xf32>
  %2 = affine.load %y[9000] : memref<9001xf32>
  affine.store %0, %o[0] : memref<3xf32>
  affine.store %1, %o[1] : memref<3xf32>
  affine.store %2, %o[2] : memref<3xf32>
  memref.dealloc %y : memref<9001xf32>
  return
}

// The coefficient of a chunk is 2^96 or more, and what it is multiplied with nearly cancels.
func.func @keeps_its_value() -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %r = affine.for %i = 0 to 9001 iter_args(%s = %one) -> f32 {
    %p = arith.mulf %s, %two : f32
    %n = arith.subf %p, %one : f32
    affine.yield %n : f32
  }
  return %r : f32
}

// The terms of the loops below: from -50 to 50.
func.func private @term(%i: index) -> i32 {
  %c7919 = arith.constant 7919 : i32
  %c101 = arith.constant 101 : i32
  %c50 = arith.constant 50 : i32
  %k = arith.index_cast %i : index to i32
  %p = arith.muli %k, %c7919 : i32
  %m = arith.remui %p, %c101 : i32
  %v = arith.subi %m, %c50 : i32
  return %v : i32
}

// The greatest sum of adjacent terms.
func.func @best() -> i32 {
  %zero = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to 9001 iter_args(%s = %zero, %b = %zero) -> (i32, i32) {
    %v = func.call @term(%i) : (index) -> i32
    %t = arith.addi %s, %v : i32
    %c = arith.cmpi slt, %t, %zero : i32
    %n = scf.if %c -> i32 {
      scf.yield %zero : i32
    } else {
      scf.yield %t : i32
    }
    %m = arith.maxsi %b, %n : i32
    affine.yield %n, %m : i32, i32
  }
  return %r#1 : i32
}

// The longest run of terms above -40.
func.func @longest() -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant -40 : i32
  %r:2 = affine.for %i = 0 to 9001 iter_args(%s = %zero, %b = %zero) -> (i32, i32) {
    %v = func.call @term(%i) : (index) -> i32
    %c = arith.cmpi sgt, %v, %limit : i32
    %t = arith.addi %s, %one : i32
    %n = arith.select %c, %t, %zero : i32
    %m = arith.maxsi %b, %n : i32
    affine.yield %n, %m : i32, i32
  }
  return %r#1 : i32
}

func.func @greatest_prefix() -> i32 {
  %zero = arith.constant 0 : i32
  %least = arith.constant -2147483648 : i32
  %r:2 = affine.for %i = 0 to 9001 iter_args(%s = %zero, %b = %least) -> (i32, i32) {
    %v = func.call @term(%i) : (index) -> i32
    %n = arith.addi %s, %v : i32
    %m = arith.maxsi %b, %n : i32
    affine.yield %n, %m : i32, i32
  }
  return %r#1 : i32
}

// The level of a store, and the sum of all levels.
func.func @level(%o: memref<4xi32>) {
  %y = memref.alloc() : memref<9001xi32>
  %empty = arith.constant 0 : i32
  %full = arith.constant 120 : i32
  %r:2 = affine.for %i = 0 to 9001 iter_args(%s = %empty, %sum = %empty) -> (i32, i32) {
    %v = func.call @term(%i) : (index) -> i32
    %t = arith.addi %s, %v : i32
    %l = arith.maxsi %t, %empty : i32
    %n = arith.minsi %l, %full : i32
    %m = arith.addi %sum, %n : i32
    affine.store %n, %y[%i] : memref<9001xi32>
    affine.yield %n, %m : i32, i32
  }
  %0 = affine.load %y[0] : memref<9001xi32>
  %1 = affine.load %y[4500] : memref<9001xi32>
  %2 = affine.load %y[9000] : memref<9001xi32>
  affine.store %0, %o[0] : memref<4xi32>
  affine.store %1, %o[1] : memref<4xi32>
  affine.store %2, %o[2] : memref<4xi32>
  affine.store %r#1, %o[3] : memref<4xi32>
  memref.dealloc %y : memref<9001xi32>
  return
}

// Sums that wrap around, so that a bound holds for them that no sum in more bits would meet.
func.func @wraps_around(%o: memref<5xi32>) {
  %y = memref.alloc() : memref<9001xi32>
  %zero = arith.constant 0 : i32
  %low = arith.constant -100 : i32
  %large = arith.constant 1073741824 : i32
  %small = arith.constant -5 : i32
  %three = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %r:2 = affine.for %i = 0 to 9001 iter_args(%s = %zero, %sum = %zero) -> (i32, i32) {
    %m = arith.remui %i, %three : index
    %is_third = arith.cmpi eq, %m, %c0 : index
    %v = arith.select %is_third, %small, %large : i32
    %t = arith.addi %s, %v : i32
    %n = arith.maxsi %t, %low : i32
    %q = arith.addi %sum, %n : i32
    affine.store %n, %y[%i] : memref<9001xi32>
    affine.yield %n, %q : i32, i32
  }
  %0 = affine.load %y[1] : memref<9001xi32>
  %1 = affine.load %y[2] : memref<9001xi32>
  %2 = affine.load %y[3] : memref<9001xi32>
  %3 = affine.load %y[9000] : memref<9001xi32>
  affine.store %0, %o[0] : memref<5xi32>
  affine.store %1, %o[1] : memref<5xi32>
  affine.store %2, %o[2] : memref<5xi32>
  affine.store %3, %o[3] : memref<5xi32>
  affine.store %r#1, %o[4] : memref<5xi32>
  memref.dealloc %y : memref<9001xi32>
  return
}

// From an infinite term on the value is infinite, until it is bounded by 3 from iteration 6000 on.
func.func @meets_infinity(%o: memref<4xf32>) {
  %y = memref.alloc() : memref<9001xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %c5000 = arith.constant 5000 : index
  %c6000 = arith.constant 6000 : index
  affine.for %i = 0 to 9001 iter_args(%s = %zero) -> f32 {
    %at = arith.cmpi eq, %i, %c5000 : index
    %v = arith.select %at, %inf, %one : f32
    %bounded = arith.cmpi sge, %i, %c6000 : index
    %most = arith.select %bounded, %three, %inf : f32
    %t = arith.addf %s, %v : f32
    %n = arith.minimumf %t, %most : f32
    affine.store %n, %y[%i] : memref<9001xf32>
    affine.yield %n : f32
  }
  %0 = affine.load %y[0] : memref<9001xf32>
  %1 = affine.load %y[5999] : memref<9001xf32>
  %2 = affine.load %y[6000] : memref<9001xf32>
  %3 = affine.load %y[9000] : memref<9001xf32>
  affine.store %0, %o[0] : memref<4xf32>
  affine.store %1, %o[1] : memref<4xf32>
  affine.store %2, %o[2] : memref<4xf32>
  affine.store %3, %o[3] : memref<4xf32>
  memref.dealloc %y : memref<9001xf32>
  return
}

// Two values are those of the last two iterations, two are fed back; all of them are integers.
func.func @fed_back(%o: memref<3xf32>) {
  %y = memref.alloc() : memref<9001xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9001 iter_args(%x1 = %zero, %x2 = %zero, %y1 = %zero, %y2 = %zero) -> (f32, f32, f32, f32) {
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f32
    %p = arith.addf %x, %x1 : f32
    %q = arith.subf %p, %x2 : f32
    %r = arith.subf %q, %y1 : f32
    %s = arith.subf %r, %y2 : f32
    affine.store %s, %y[%i] : memref<9001xf32>
    affine.yield %x, %x1, %s, %y1 : f32, f32, f32, f32
  }
  %0 = affine.load %y[1] : memref<9001xf32>
  %1 = affine.load %y[4500] : memref<9001xf32>
  %2 = affine.load %y[9000] : memref<9001xf32>
  affine.store %0, %o[0] : memref<3xf32>
  affine.store %1, %o[1] : memref<3xf32>
  affine.store %2, %o[2] : memref<3xf32>
  memref.dealloc %y : memref<9001xf32>
  return
}
