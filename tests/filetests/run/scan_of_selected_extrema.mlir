// Running extrema that a comparison and a select compute, in chunks, bit for bit: NaN is not taken and
// stays where the loop starts from it, and of zeros of both signs the first one is kept, or the last.
// The input is -(i - 4500)^2, NaN for 99 to 3000, -0 at 4500 and 0 from 6000 on.

// test: run --entry=running_maxima --arg=zeros --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [-20250000.0, -19377604.0, -inf, -inf, -inf]
// expect: arg 2 = [-20250000.0, -19377604.0, -inf, inf, inf]
// expect: arg 3 = [nan, nan, nan, nan, nan]
// test: run --map-for=gpu --entry=running_maxima --arg=zeros --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [-20250000.0, -19377604.0, -inf, -inf, -inf]
// expect: arg 2 = [-20250000.0, -19377604.0, -inf, inf, inf]
// expect: arg 3 = [nan, nan, nan, nan, nan]
func.func @running_maxima(%x: memref<9001xf32>, %first: memref<5xf32>, %last: memref<5xf32>, %from_nan: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %least = arith.constant 0xFF800000 : f32
  %y = memref.alloc() : memref<9001xf32>
  %z = memref.alloc() : memref<9001xf32>
  %w = memref.alloc() : memref<9001xf32>
  affine.for %i = 0 to 9001 {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %c = arith.constant 4500.0 : f32
    %d = arith.subf %f, %c : f32
    %s = arith.mulf %d, %d : f32
    %v = arith.negf %s : f32
    affine.store %v, %x[%i] : memref<9001xf32>
  }
  affine.for %i = 99 to 3001 {
    affine.store %nan, %x[%i] : memref<9001xf32>
  }
  affine.for %i = 6000 to 9001 {
    affine.store %zero, %x[%i] : memref<9001xf32>
  }
  affine.for %i = 0 to 9001 iter_args(%acc = %least) -> f32 {
    %v = affine.load %x[%i] : memref<9001xf32>
    %c = arith.cmpf ogt, %v, %acc : f32
    %n = arith.select %c, %v, %acc : f32
    affine.store %n, %y[%i] : memref<9001xf32>
    affine.yield %n : f32
  }
  affine.for %i = 0 to 9001 iter_args(%acc = %least) -> f32 {
    %v = affine.load %x[%i] : memref<9001xf32>
    %keep = arith.cmpf ole, %acc, %v : f32
    %n = arith.select %keep, %v, %acc : f32
    affine.store %n, %z[%i] : memref<9001xf32>
    affine.yield %n : f32
  }
  affine.for %i = 0 to 9001 iter_args(%acc = %nan) -> f32 {
    %v = affine.load %x[%i] : memref<9001xf32>
    %c = arith.cmpf ogt, %v, %acc : f32
    %n = arith.select %c, %v, %acc : f32
    affine.store %n, %w[%i] : memref<9001xf32>
    affine.yield %n : f32
  }
  // Of zeros, their inverses tell the sign.
  affine.for %i = 0 to 5 {
    %a = affine.load %y[%i * 2250] : memref<9001xf32>
    %b = affine.load %z[%i * 2250] : memref<9001xf32>
    %c = affine.load %w[%i * 2250] : memref<9001xf32>
    %is_zero = arith.cmpf oeq, %a, %zero : f32
    %ia = arith.divf %one, %a : f32
    %ib = arith.divf %one, %b : f32
    %sa = arith.select %is_zero, %ia, %a : f32
    %sb = arith.select %is_zero, %ib, %b : f32
    affine.store %sa, %first[%i] : memref<5xf32>
    affine.store %sb, %last[%i] : memref<5xf32>
    affine.store %c, %from_nan[%i] : memref<5xf32>
  }
  memref.dealloc %y : memref<9001xf32>
  memref.dealloc %z : memref<9001xf32>
  memref.dealloc %w : memref<9001xf32>
  return
}

// The least so far, of any size, and the one before it, which the loop stores in place of its input: of
// 10000 numbers that fall by 3 but for every other one.
//
// test: run --entry=running_minimum --arg=iota[10000] --arg=zeros
// expect: arg 1 = [5, 0, -2994, -29994]
func.func @running_minimum(%x: memref<?xi32>, %some: memref<4xi32>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %three = arith.constant -3 : i32
  %start = arith.constant 5 : i32
  %n = memref.dim %x, %zero : memref<?xi32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xi32>
    %odd = arith.remui %v, %two : i32
    %none = arith.constant 0 : i32
    %is_even = arith.cmpi eq, %odd, %none : i32
    %down = arith.muli %v, %three : i32
    %w = arith.select %is_even, %down, %v : i32
    affine.store %w, %x[%i] : memref<?xi32>
  }
  affine.for %i = 0 to %n iter_args(%acc = %start) -> i32 {
    %v = affine.load %x[%i] : memref<?xi32>
    %c = arith.cmpi sge, %v, %acc : i32
    %least = arith.select %c, %acc, %v : i32
    affine.store %acc, %x[%i] : memref<?xi32>
    affine.yield %least : i32
  }
  affine.for %k = 0 to 1 {
    %a = affine.load %x[0] : memref<?xi32>
    %b = affine.load %x[1] : memref<?xi32>
    %c = affine.load %x[1000] : memref<?xi32>
    %d = affine.load %x[9999] : memref<?xi32>
    affine.store %a, %some[0] : memref<4xi32>
    affine.store %b, %some[1] : memref<4xi32>
    affine.store %c, %some[2] : memref<4xi32>
    affine.store %d, %some[3] : memref<4xi32>
  }
  return
}
