// test: opt --affine-fuse-rows=target=cpu --affine-scalrep
// test: run --entry=softmax --arg=iota --arg=zeros
// test: run-opt --entry=norm --arg=iota --arg=zeros --arg=zeros

// A greatest element, what is computed from it, a sum and a quotient, each a nest of its own: one row of four
// loops. What only goes from one to the next needs no memory any more.
func.func @softmax(%x: memref<64x32xf32>, %y: memref<64x32xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<64x32xf32>, memref<64x32xf32>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<64xf32>
  affine.for %i = 0 to 64 {
    %t = affine.for %j = 0 to 32 iter_args(%a = %low) -> (f32) {
      %v = affine.load %0#0[%i, %j] : memref<64x32xf32>
      %n = arith.maximumf %a, %v : f32
      affine.yield %n : f32
    }
    affine.store %t, %m[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %v = affine.load %0#0[%i, %j] : memref<64x32xf32>
      %t = affine.load %m[%i] : memref<64xf32>
      %d = arith.subf %v, %t : f32
      %e = math.exp %d : f32
      affine.store %e, %0#1[%i, %j] : memref<64x32xf32>
    }
  }
  affine.for %i = 0 to 64 {
    %t = affine.for %j = 0 to 32 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %0#1[%i, %j] : memref<64x32xf32>
      %n = arith.addf %a, %v : f32
      affine.yield %n : f32
    }
    affine.store %t, %s[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %v = affine.load %0#1[%i, %j] : memref<64x32xf32>
      %t = affine.load %s[%i] : memref<64xf32>
      %q = arith.divf %v, %t : f32
      affine.store %q, %0#1[%i, %j] : memref<64x32xf32>
    }
  }
  memref.dealloc %m : memref<64xf32>
  memref.dealloc %s : memref<64xf32>
  return
}

// The sums are an argument, so they are stored as well.
func.func @norm(%x: memref<64x32xi32>, %s: memref<64xi32>, %y: memref<64x32xi32>) {
  %0:3 = memref.distinct_objects %x, %y, %s : memref<64x32xi32>, memref<64x32xi32>, memref<64xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %t = affine.for %j = 0 to 32 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<64x32xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.store %t, %0#2[%i] : memref<64xi32>
  }
  affine.for %i = 0 to 64 {
    %t = affine.load %0#2[%i] : memref<64xi32>
    affine.for %j = 0 to 32 {
      %v = affine.load %0#0[%i, %j] : memref<64x32xi32>
      %d = arith.subi %v, %t : i32
      affine.store %d, %0#1[%i, %j] : memref<64x32xi32>
    }
  }
  return
}
