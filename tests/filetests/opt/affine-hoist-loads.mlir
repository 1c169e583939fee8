// Loads of elements that stay the same in all rounds of a thread's loop leave it.
// test: opt --affine-mark-inbounds --affine-hoist-loads

// What is computed of such a load alone leaves with it, and its subscript.
// test: run-opt --entry=polynomial
func.func @polynomial(%x: memref<50xf32>, %c: memref<7xf32>, %y: memref<50xf32>) {
  %0:3 = memref.distinct_objects %x, %c, %y : memref<50xf32>, memref<7xf32>, memref<50xf32>
  %z = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 50 {
    %s = affine.for %k = 0 to 7 iter_args(%t = %z) -> (f32) {
      %at = affine.apply affine_map<(d0) -> (49 - d0)>(%i)
      %v = memref.load %0#0[%at] : memref<50xf32>
      %h = arith.mulf %v, %half : f32
      %a = affine.load %0#1[%k] : memref<7xf32>
      %p = arith.mulf %t, %h : f32
      %q = arith.addf %p, %a : f32
      affine.yield %q : f32
    }
    affine.store %s, %0#2[%i] : memref<50xf32>
  }
  return
}

// A loop that may have no round: the element of an argument is there anyway.
// test: run-opt --entry=open --arg=0 --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=open --arg=5 --arg=random:1 --arg=random:2 --arg=zeros
func.func @open(%n: index, %x: memref<50xf32>, %c: memref<7xf32>, %y: memref<50xf32>) {
  %0:3 = memref.distinct_objects %x, %c, %y : memref<50xf32>, memref<7xf32>, memref<50xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 50 {
    %s = affine.for %k = 0 to min affine_map<()[s0] -> (s0, 7)>()[%n] iter_args(%t = %z) -> (f32) {
      %v = affine.load %0#0[%i] : memref<50xf32>
      %a = affine.load %0#1[%k] : memref<7xf32>
      %p = arith.mulf %v, %a : f32
      %q = arith.addf %p, %t : f32
      affine.yield %q : f32
    }
    affine.store %s, %0#2[%i] : memref<50xf32>
  }
  return
}

// Left alone: without a round, nothing says that the element is in range, or that memory of the function's own holds something.
// test: run-opt --entry=nothing_there --arg=0 --arg=random:2 --arg=zeros
// test: run-opt --entry=nothing_there --arg=5 --arg=random:2 --arg=zeros
func.func @nothing_there(%n: index, %x: memref<7xf32>, %y: memref<50xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<7xf32>, memref<50xf32>
  %own = memref.alloc(%n) : memref<?xf32>
  %whole = memref.alloc() : memref<50xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    affine.store %z, %own[%i] : memref<?xf32>
    affine.store %z, %whole[%i] : memref<50xf32>
  }
  affine.for %i = 0 to 50 {
    %s = affine.for %k = 0 to min affine_map<()[s0] -> (s0, 7)>()[%n] iter_args(%t = %z) -> (f32) {
      %v = affine.load %own[symbol(%n) - 1] : memref<?xf32>
      %w = affine.load %whole[0] : memref<50xf32>
      %a = affine.load %0#0[%k] : memref<7xf32>
      %u = arith.addf %v, %w : f32
      %p = arith.addf %u, %a : f32
      %q = arith.addf %p, %t : f32
      affine.yield %q : f32
    }
    affine.store %s, %0#1[%i] : memref<50xf32>
  }
  memref.dealloc %own : memref<?xf32>
  memref.dealloc %whole : memref<50xf32>
  return
}

// The loop stores other elements of the array; one of the two loads is of an element that it stores, and stays.
// test: run-opt --entry=stores
func.func @stores(%x: memref<9x50xf32>) {
  affine.for %i = 0 to 50 {
    affine.for %t = 1 to 8 {
      %k = affine.load %x[0, %i] : memref<9x50xf32>
      %last = affine.load %x[8, %i] : memref<9x50xf32>
      %v = affine.load %x[%t, %i] : memref<9x50xf32>
      %p = arith.mulf %k, %v : f32
      %q = arith.addf %p, %last : f32
      affine.store %q, %x[%t + 1, %i] : memref<9x50xf32>
    }
  }
  return
}

// Two loops, of which the outer one begins anew: the load leaves both.
// test: run-opt --entry=both
func.func @both(%x: memref<50xf32>, %c: memref<4x7xf32>, %y: memref<50xf32>) {
  %0:3 = memref.distinct_objects %x, %c, %y : memref<50xf32>, memref<4x7xf32>, memref<50xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 50 {
    %s = affine.for %j = 0 to 4 iter_args(%t = %z) -> (f32) {
      %u = affine.for %k = 0 to 7 iter_args(%w = %t) -> (f32) {
        %v = affine.load %0#0[%i] : memref<50xf32>
        %a = affine.load %0#1[%j, %k] : memref<4x7xf32>
        %p = arith.mulf %v, %a : f32
        %q = arith.addf %p, %w : f32
        affine.yield %q : f32
      }
      affine.yield %u : f32
    }
    affine.store %s, %0#2[%i] : memref<50xf32>
  }
  return
}

// A parallel loop that a thread runs, since the loop around it is sequential.
// test: run-opt --entry=steps
func.func @steps(%v: memref<6x5x50xf32>, %w: memref<5xf32>) {
  %0:2 = memref.distinct_objects %v, %w : memref<6x5x50xf32>, memref<5xf32>
  affine.for %i = 0 to 50 {
    affine.for %t = 1 to 6 {
      affine.for %s = 0 to 5 {
        %a = affine.load %0#0[%t - 1, 3, %i] : memref<6x5x50xf32>
        %b = affine.load %0#1[%s] : memref<5xf32>
        %p = arith.mulf %a, %b : f32
        affine.store %p, %0#0[%t, %s, %i] : memref<6x5x50xf32>
      }
    }
  }
  return
}

// Left alone: both loops become dimensions of the grid.
// test: run-opt --entry=grid
func.func @grid(%x: memref<50xf32>, %y: memref<50x20xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<50xf32>, memref<50x20xf32>
  affine.for %i = 0 to 50 {
    affine.for %j = 0 to 20 {
      %a = affine.load %0#0[%i] : memref<50xf32>
      affine.store %a, %0#1[%i, %j] : memref<50x20xf32>
    }
  }
  return
}

// Left alone: no loop around is parallel.
// test: run-opt --entry=host
func.func @host(%x: memref<20xf32>) {
  affine.for %t = 1 to 20 {
    %s = affine.load %x[0] : memref<20xf32>
    %a = affine.load %x[%t - 1] : memref<20xf32>
    %p = arith.addf %a, %s : f32
    affine.store %p, %x[%t] : memref<20xf32>
  }
  return
}

// Arguments that may overlap: the nest gets two versions, and the load leaves the loop of one.
// test: run-opt --entry=overlapping
func.func @overlapping(%x: memref<50xf32>, %y: memref<9x50xf32>) {
  affine.for %i = 0 to 50 {
    affine.for %t = 0 to 8 {
      %k = affine.load %x[%i] : memref<50xf32>
      %v = affine.load %y[%t, %i] : memref<9x50xf32>
      %p = arith.mulf %k, %v : f32
      affine.store %p, %y[%t + 1, %i] : memref<9x50xf32>
    }
  }
  return
}

// Left alone: the loop has no round, which keeps the load apart from the stores of other iterations.
// test: run-opt --entry=never --arg=iota --arg=7
func.func @never(%x: memref<16xi64>, %n: index) {
  affine.parallel (%i) = (symbol(%n)) to (16) {
    affine.for %k = affine_map<(d0) -> (d0)>(%i) to 1 {
      %v = affine.load %x[8] : memref<16xi64>
      affine.store %v, %x[0] : memref<16xi64>
    }
    %z = arith.constant 0 : i64
    affine.store %z, %x[%i - 5] : memref<16xi64>
  }
  return
}
