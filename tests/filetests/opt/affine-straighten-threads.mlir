// Short loops are unrolled where threads have neither loops nor branches then, on drivers that load shared elements once there.
// test: opt --affine-mark-inbounds --affine-straighten-threads=target=slow-gathering-cpu

// test: run-opt --entry=polynomial
func.func @polynomial(%x: memref<5000xf32>, %c: memref<3xf32>, %y: memref<5000xf32>) {
  %0:3 = memref.distinct_objects %x, %c, %y : memref<5000xf32>, memref<3xf32>, memref<5000xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 5000 {
    %v = affine.load %0#0[%i] : memref<5000xf32>
    %s = affine.for %k = 0 to 3 iter_args(%t = %z) -> (f32) {
      %a = affine.load %0#1[%k] : memref<3xf32>
      %p = arith.mulf %t, %v : f32
      %q = arith.addf %p, %a : f32
      affine.yield %q : f32
    }
    affine.store %s, %0#2[%i] : memref<5000xf32>
  }
  return
}

// The nearest of three points of two coordinates: both loops are unrolled.
// test: run-opt --entry=nearest
func.func @nearest(%x: memref<2x5000xf32>, %c: memref<3x2xf32>, %y: memref<5000xf32>) {
  %0:3 = memref.distinct_objects %x, %c, %y : memref<2x5000xf32>, memref<3x2xf32>, memref<5000xf32>
  %z = arith.constant 0.0 : f32
  %far = arith.constant 1.0e+6 : f32
  affine.for %i = 0 to 5000 {
    %m = affine.for %j = 0 to 3 iter_args(%n = %far) -> (f32) {
      %s = affine.for %d = 0 to 2 iter_args(%t = %z) -> (f32) {
        %a = affine.load %0#0[%d, %i] : memref<2x5000xf32>
        %b = affine.load %0#1[%j, %d] : memref<3x2xf32>
        %e = arith.subf %a, %b : f32
        %f = arith.mulf %e, %e : f32
        %g = arith.addf %t, %f : f32
        affine.yield %g : f32
      }
      %k = arith.minnumf %n, %s : f32
      affine.yield %k : f32
    }
    affine.store %m, %0#2[%i] : memref<5000xf32>
  }
  return
}

// Left alone: a product of matrices loads less by tiles of several rows.
// test: run-opt --entry=product
func.func @product(%a: memref<60x4xf32>, %b: memref<4x80xf32>, %c: memref<60x80xf32>) {
  %0:3 = memref.distinct_objects %a, %b, %c : memref<60x4xf32>, memref<4x80xf32>, memref<60x80xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 60 {
    affine.for %j = 0 to 80 {
      %s = affine.for %k = 0 to 4 iter_args(%t = %z) -> (f32) {
        %u = affine.load %0#0[%i, %k] : memref<60x4xf32>
        %v = affine.load %0#1[%k, %j] : memref<4x80xf32>
        %p = arith.mulf %u, %v : f32
        %q = arith.addf %t, %p : f32
        affine.yield %q : f32
      }
      affine.store %s, %0#2[%i, %j] : memref<60x80xf32>
    }
  }
  return
}

// Left alone: the second loop would become one of the grid and repeat the sum.
// test: run-opt --entry=two_loops
func.func @two_loops(%x: memref<5120x16xf32>, %y: memref<5120x16xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<5120x16xf32>, memref<5120x16xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 5120 {
    %t = affine.for %j = 0 to 16 iter_args(%a = %z) -> (f32) {
      %v = affine.load %0#0[%i, %j] : memref<5120x16xf32>
      %n = arith.addf %a, %v : f32
      affine.yield %n : f32
    }
    affine.for %j = 0 to 16 {
      %v = affine.load %0#0[%i, %j] : memref<5120x16xf32>
      %d = arith.subf %t, %v : f32
      affine.store %d, %0#1[%i, %j] : memref<5120x16xf32>
    }
  }
  return
}

// Left alone: it loads little, and computes much.
// test: run-opt --entry=iterations
func.func @iterations(%x: memref<5000xf32>, %y: memref<5000xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<5000xf32>, memref<5000xf32>
  affine.for %i = 0 to 5000 {
    %v = affine.load %0#0[%i] : memref<5000xf32>
    %s = affine.for %k = 0 to 9 iter_args(%t = %v) -> (f32) {
      %p = arith.mulf %t, %t : f32
      %q = arith.addf %p, %v : f32
      affine.yield %q : f32
    }
    affine.store %s, %0#1[%i] : memref<5000xf32>
  }
  return
}

// Left alone: the loop around is sequential, and so a loop of the thread.
// test: run-opt --entry=sequential
func.func @sequential(%c: memref<3xf32>, %y: memref<5000xf32>) {
  %0:2 = memref.distinct_objects %c, %y : memref<3xf32>, memref<5000xf32>
  affine.for %i = 1 to 5000 {
    %v = affine.load %0#1[%i - 1] : memref<5000xf32>
    %s = affine.for %k = 0 to 3 iter_args(%t = %v) -> (f32) {
      %a = affine.load %0#0[%k] : memref<3xf32>
      %q = arith.addf %t, %a : f32
      affine.yield %q : f32
    }
    affine.store %s, %0#1[%i] : memref<5000xf32>
  }
  return
}
