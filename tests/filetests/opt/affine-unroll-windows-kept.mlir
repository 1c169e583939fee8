// Short loops that load the same elements in each iteration of the loop around them are unrolled, and these loads leave it.
// test: opt --affine-mark-inbounds --affine-unroll-windows=target=cpu --affine-hoist-loads
// test: run-opt --entry=nearest
func.func @nearest(%x: memref<3x50xf32>, %c: memref<7x3xf32>, %o: memref<50xf32>) {
  %0:3 = memref.distinct_objects %x, %c, %o : memref<3x50xf32>, memref<7x3xf32>, memref<50xf32>
  %z = arith.constant 0.0 : f32
  %far = arith.constant 1.0e+6 : f32
  affine.for %i = 0 to 50 {
    %m = affine.for %j = 0 to 7 iter_args(%n = %far) -> (f32) {
      %s = affine.for %d = 0 to 3 iter_args(%t = %z) -> (f32) {
        %a = affine.load %0#0[%d, %i] : memref<3x50xf32>
        %b = affine.load %0#1[%j, %d] : memref<7x3xf32>
        %e = arith.subf %a, %b : f32
        %f = arith.mulf %e, %e : f32
        %g = arith.addf %t, %f : f32
        affine.yield %g : f32
      }
      %k = arith.minnumf %n, %s : f32
      affine.yield %k : f32
    }
    affine.store %m, %0#2[%i] : memref<50xf32>
  }
  return
}

// The loop around may have no iteration; the elements of an argument are there anyway.
// test: run-opt --entry=open --arg=0 --arg=random:1 --arg=random:2 --arg=zeros
func.func @open(%n: index, %x: memref<3x50xf32>, %c: memref<7x3xf32>, %o: memref<50xf32>) {
  %0:3 = memref.distinct_objects %x, %c, %o : memref<3x50xf32>, memref<7x3xf32>, memref<50xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 50 {
    %m = affine.for %j = 0 to min affine_map<()[s0] -> (s0, 7)>()[%n] iter_args(%n0 = %z) -> (f32) {
      %s = affine.for %d = 0 to 3 iter_args(%t = %n0) -> (f32) {
        %a = affine.load %0#0[%d, %i] : memref<3x50xf32>
        %b = affine.load %0#1[%j, %d] : memref<7x3xf32>
        %f = arith.mulf %a, %b : f32
        %g = arith.addf %t, %f : f32
        affine.yield %g : f32
      }
      affine.yield %s : f32
    }
    affine.store %m, %0#2[%i] : memref<50xf32>
  }
  return
}

// Left alone: the loop around stores to the array that is loaded from.
// test: run-opt --entry=stores
func.func @stores(%x: memref<4x50xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 50 {
    affine.for %j = 0 to 7 {
      %s = affine.for %d = 0 to 3 iter_args(%t = %z) -> (f32) {
        %a = affine.load %x[%d, %i] : memref<4x50xf32>
        %g = arith.addf %t, %a : f32
        affine.yield %g : f32
      }
      affine.store %s, %x[0, %i] : memref<4x50xf32>
    }
  }
  return
}

// Left alone: the elements are the same for all points.
// test: run-opt --entry=uniform
func.func @uniform(%c: memref<3xf32>, %w: memref<7xf32>, %o: memref<50xf32>) {
  %0:3 = memref.distinct_objects %c, %w, %o : memref<3xf32>, memref<7xf32>, memref<50xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 50 {
    %m = affine.for %j = 0 to 7 iter_args(%n = %z) -> (f32) {
      %u = affine.load %0#1[%j] : memref<7xf32>
      %s = affine.for %d = 0 to 3 iter_args(%t = %n) -> (f32) {
        %a = affine.load %0#0[%d] : memref<3xf32>
        %f = arith.mulf %a, %u : f32
        %g = arith.addf %t, %f : f32
        affine.yield %g : f32
      }
      affine.yield %s : f32
    }
    affine.store %m, %0#2[%i] : memref<50xf32>
  }
  return
}

// Left alone: too many elements for registers.
// test: run-opt --entry=many
func.func @many(%x: memref<17x50xf32>, %c: memref<7x17xf32>, %o: memref<50xf32>) {
  %0:3 = memref.distinct_objects %x, %c, %o : memref<17x50xf32>, memref<7x17xf32>, memref<50xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 50 {
    %m = affine.for %j = 0 to 7 iter_args(%n = %z) -> (f32) {
      %s = affine.for %d = 0 to 17 iter_args(%t = %n) -> (f32) {
        %a = affine.load %0#0[%d, %i] : memref<17x50xf32>
        %b = affine.load %0#1[%j, %d] : memref<7x17xf32>
        %f = arith.mulf %a, %b : f32
        %g = arith.addf %t, %f : f32
        affine.yield %g : f32
      }
      affine.yield %s : f32
    }
    affine.store %m, %0#2[%i] : memref<50xf32>
  }
  return
}

// States of a step: the loop over them is parallel, but a thread runs it, since steps depend on each other. Each of its iterations loads
// all states of the step before.
// test: run-opt --entry=states
func.func @states(%v: memref<6x4x50xf32>, %w: memref<4x4xf32>) {
  %0:2 = memref.distinct_objects %v, %w : memref<6x4x50xf32>, memref<4x4xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 50 {
    affine.for %t = 1 to 6 {
      affine.for %s = 0 to 4 {
        %m = affine.for %r = 0 to 4 iter_args(%n = %z) -> (f32) {
          %a = affine.load %0#0[%t - 1, %r, %i] : memref<6x4x50xf32>
          %b = affine.load %0#1[%r, %s] : memref<4x4xf32>
          %c = arith.addf %a, %b : f32
          %k = arith.maxnumf %n, %c : f32
          affine.yield %k : f32
        }
        affine.store %m, %0#0[%t, %s, %i] : memref<6x4x50xf32>
      }
    }
  }
  return
}

// Left alone: each iteration loads states that others of the same step store.
// test: run-opt --entry=same_step
func.func @same_step(%v: memref<4x50xf32>, %w: memref<4x4xf32>) {
  %0:2 = memref.distinct_objects %v, %w : memref<4x50xf32>, memref<4x4xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 50 {
    affine.for %s = 0 to 4 {
      %m = affine.for %r = 0 to 4 iter_args(%n = %z) -> (f32) {
        %a = affine.load %0#0[%r, %i] : memref<4x50xf32>
        %b = affine.load %0#1[%r, %s] : memref<4x4xf32>
        %c = arith.addf %a, %b : f32
        %k = arith.maxnumf %n, %c : f32
        affine.yield %k : f32
      }
      affine.store %m, %0#0[%s, %i] : memref<4x50xf32>
    }
  }
  return
}

// Left alone: the loop around is one of the grid's.
// test: run-opt --entry=grid
func.func @grid(%a: memref<50x3xf32>, %b: memref<3x40xf32>, %y: memref<50x40xf32>) {
  %0:3 = memref.distinct_objects %a, %b, %y : memref<50x3xf32>, memref<3x40xf32>, memref<50x40xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 50 {
    affine.for %j = 0 to 40 {
      %s = affine.for %k = 0 to 3 iter_args(%t = %z) -> (f32) {
        %u = affine.load %0#0[%i, %k] : memref<50x3xf32>
        %v = affine.load %0#1[%k, %j] : memref<3x40xf32>
        %p = arith.mulf %u, %v : f32
        %q = arith.addf %t, %p : f32
        affine.yield %q : f32
      }
      affine.store %s, %0#2[%i, %j] : memref<50x40xf32>
    }
  }
  return
}
