// test: opt --canonicalize
// test: run-opt --entry=bounds_and_subscripts --arg=random:1 --arg=1.5
// test: run-opt --entry=exact --arg=1.5
// test: run-opt --entry=control --arg=random:1 --arg=1.5 --arg=1.5
// test: run-opt --entry=carried --arg=random:1 --arg=1.5
// test: run-opt --entry=memory --arg=6 --arg=1.5
// test: run-opt --entry=casts --arg=random:1 --arg=random:1[8] --arg=6

// Constants fold into bounds and subscripts; applications are looked through.
func.func @bounds_and_subscripts(%a: memref<32xf32>, %v: f32) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = arith.muli %c2, %c3 : index
  affine.for %i = 0 to %n {
    %j = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0)>(%i)[%c2]
    affine.store %v, %a[%j + 1] : memref<32xf32>
  }
  return
}

// What cannot be known stays: division by zero, a NaN, a shift by the width,
// a sum with 0.0, which is not exact for -0.0.
func.func @left_alone(%x: f32) -> (i32, f32, i32, f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant 0.0 : f32
  %q = arith.divsi %c1, %c0 : i32
  %nan = arith.divf %zero, %zero : f32
  %s = arith.shli %c1, %c32 : i32
  %y = arith.addf %x, %zero : f32
  return %q, %nan, %s, %y : i32, f32, i32, f32
}

// Exact: rounding to nearest even, wrap-around, identities. A number that fewer bits do not hold stays as it is.
func.func @exact(%x: f32) -> (f32, i8, f32, f16) {
  %tenth = arith.constant 0.1 : f32
  %fifth = arith.constant 0.2 : f32
  %sum = arith.addf %tenth, %fifth : f32
  %big = arith.constant 100 : i8
  %wrapped = arith.addi %big, %big : i8
  %minus_zero = arith.constant -0.0 : f32
  %y = arith.addf %x, %minus_zero : f32
  %third = arith.constant 0.333333343 : f32
  %half = arith.truncf %third : f32 to f16
  return %sum, %wrapped, %y, %half : f32, i8, f32, f16
}

// A branch that is known, a loop that runs once, a loop that never does.
func.func @control(%a: memref<8xf32>, %v: f32, %w: f32) -> f32 {
  %true = arith.constant true
  %r = scf.if %true -> f32 {
    affine.for %i = 3 to 4 {
      affine.store %v, %a[%i] : memref<8xf32>
    }
    scf.yield %v : f32
  } else {
    scf.yield %w : f32
  }
  %s = affine.for %i = 5 to 5 iter_args(%acc = %r) -> f32 {
    %t = arith.addf %acc, %w : f32
    affine.yield %t : f32
  }
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (d0 - d0 - 1 >= 0)>(%i) {
      affine.store %w, %a[%i] : memref<8xf32>
    }
  }
  return %s : f32
}

// Only what changes is carried: %p comes as it was, nobody reads %q.
func.func @carried(%a: memref<8xf32>, %x: f32) -> (f32, f32) {
  %r:3 = affine.for %i = 0 to 8 iter_args(%p = %x, %q = %x, %s = %x) -> (f32, f32, f32) {
    %v = affine.load %a[%i] : memref<8xf32>
    %n = arith.addf %s, %v : f32
    %m = arith.mulf %p, %n : f32
    affine.yield %p, %v, %m : f32, f32, f32
  }
  return %r#0, %r#2 : f32, f32
}

// Sizes come from where the memory is made; memory nobody reads goes.
func.func @memory(%n: index, %v: f32) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  memref.store %v, %m[%c0] : memref<?xf32>
  %d = memref.dim %m, %c0 : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %d : index
}

// A cast that forgets a size is looked through; one that adds it is kept.
func.func @casts(%a: memref<8xf32>, %b: memref<?xf32>, %i: index) -> (f32, f32) {
  %less = memref.cast %a : memref<8xf32> to memref<?xf32>
  %more = memref.cast %b : memref<?xf32> to memref<8xf32>
  %x = memref.load %less[%i] : memref<?xf32>
  %y = memref.load %more[%i] : memref<8xf32>
  return %x, %y : f32, f32
}
