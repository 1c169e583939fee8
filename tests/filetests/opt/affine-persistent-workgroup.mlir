// test: opt --affine-persistent-workgroup=target=gpu
// test: run-opt --entry=solve --arg=random:1 --arg=random:2
// test: run-opt --entry=smooth --arg=random:1 --arg=zeros
// test: run-opt --entry=carried --arg=random:1 --arg=zeros
// test: run-opt --entry=serial --arg=random:1 --arg=random:2
// test: run-opt --entry=conditional --arg=random:1 --arg=random:2
// test: run-opt --entry=scratch --arg=random:1
// test: run-opt --entry=band --arg=random:1
// test: run-opt --entry=refused --arg=random:1 --arg=random:2 --arg=zeros --arg=9

// The solution of a triangular system: what follows from each unknown is shared by the threads, the
// division is computed by each of them and stored by the first.
func.func @solve(%l: memref<16x16xf32>, %x: memref<16xf32>) {
  %x_apart, %l_apart = memref.distinct_objects %x, %l : memref<16xf32>, memref<16x16xf32>
  affine.for %t = 0 to 16 {
    %d = affine.load %l_apart[%t, %t] : memref<16x16xf32>
    %s = affine.load %x_apart[%t] : memref<16xf32>
    %q = arith.divf %s, %d : f32
    affine.store %q, %x_apart[%t] : memref<16xf32>
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%t) to 16 {
      %a = affine.load %l_apart[%i, %t] : memref<16x16xf32>
      %p = arith.mulf %a, %q : f32
      %c = affine.load %x_apart[%i] : memref<16xf32>
      %u = arith.subf %c, %p : f32
      affine.store %u, %x_apart[%i] : memref<16xf32>
    }
  }
  return
}

// Two loops are shared at once: 16 threads along the inner one of 14 iterations, 16 along the outer one.
func.func @smooth(%a: memref<12x30xf32>, %b: memref<12x30xf32>) {
  %a_apart, %b_apart = memref.distinct_objects %a, %b : memref<12x30xf32>, memref<12x30xf32>
  affine.for %t = 0 to 5 {
    affine.for %i = 0 to 12 {
      affine.for %j = 1 to 29 step 2 {
        %w = affine.load %a_apart[%i, %j - 1] : memref<12x30xf32>
        %e = affine.load %a_apart[%i, %j + 1] : memref<12x30xf32>
        %s = arith.addf %w, %e : f32
        affine.store %s, %b_apart[%i, %j] : memref<12x30xf32>
      }
    }
    affine.for %i = 0 to 12 {
      affine.for %j = 1 to 29 step 2 {
        %v = affine.load %b_apart[%i, %j] : memref<12x30xf32>
        affine.store %v, %a_apart[%i, %j] : memref<12x30xf32>
      }
    }
  }
  return
}

// Every thread carries the values. The first one is used behind the loop, so it goes there through memory.
func.func @carried(%a: memref<16xf32>, %c: memref<1xf32>) {
  %a_apart, %c_apart = memref.distinct_objects %a, %c : memref<16xf32>, memref<1xf32>
  %one = arith.constant 1.0 : f32
  %r:2 = affine.for %t = 0 to 16 iter_args(%u = %one, %v = %one) -> (f32, f32) {
    %x = affine.load %a_apart[%t] : memref<16xf32>
    %m = arith.addf %u, %x : f32
    affine.for %i = 0 to 16 {
      %y = affine.load %a_apart[%i] : memref<16xf32>
      %z = arith.mulf %y, %v : f32
      affine.store %z, %a_apart[%i] : memref<16xf32>
    }
    affine.yield %m, %x : f32, f32
  }
  affine.store %r#0, %c_apart[0] : memref<1xf32>
  return
}

// A recurrence between parallel loops is run by the first thread.
func.func @serial(%a: memref<16xf32>, %b: memref<16xf32>) {
  %a_apart, %b_apart = memref.distinct_objects %a, %b : memref<16xf32>, memref<16xf32>
  affine.for %t = 0 to 4 {
    affine.for %i = 1 to 16 {
      %p = affine.load %a_apart[%i - 1] : memref<16xf32>
      %v = affine.load %a_apart[%i] : memref<16xf32>
      %s = arith.addf %p, %v : f32
      affine.store %s, %a_apart[%i] : memref<16xf32>
    }
    affine.for %i = 0 to 16 {
      %v = affine.load %a_apart[%i] : memref<16xf32>
      %w = affine.load %b_apart[%i] : memref<16xf32>
      %s = arith.subf %w, %v : f32
      affine.store %s, %b_apart[%i] : memref<16xf32>
      affine.store %w, %a_apart[%i] : memref<16xf32>
    }
  }
  return
}

// All threads take the same branch.
func.func @conditional(%a: memref<16xf32>, %b: memref<16xf32>) {
  %a_apart, %b_apart = memref.distinct_objects %a, %b : memref<16xf32>, memref<16xf32>
  affine.for %t = 0 to 8 {
    affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%t) {
      affine.for %i = 0 to 16 {
        %v = affine.load %a_apart[-%i + 15] : memref<16xf32>
        affine.store %v, %b_apart[%i] : memref<16xf32>
      }
    } else {
      %v = affine.load %b_apart[%t] : memref<16xf32>
      affine.store %v, %a_apart[%t] : memref<16xf32>
    }
  }
  return
}

// One allocation does for all iterations.
func.func @scratch(%a: memref<16xf32>) {
  affine.for %t = 0 to 4 {
    %s = memref.alloc() : memref<16xf32>
    affine.for %i = 0 to 16 {
      %v = affine.load %a[(%i * 5 + %t) mod 16] : memref<16xf32>
      affine.store %v, %s[%i] : memref<16xf32>
    }
    affine.for %i = 0 to 16 {
      %v = affine.load %s[%i] : memref<16xf32>
      affine.store %v, %a[%i] : memref<16xf32>
    }
    memref.dealloc %s : memref<16xf32>
  }
  return
}

// A band of two counters.
func.func @band(%a: memref<8x8xf32>) {
  affine.for %t = 0 to 4 {
    affine.parallel (%i, %j) = (0, %t) to (8, 8) {
      %v = affine.load %a[%i, %j] : memref<8x8xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %a[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// As they are stay: a loop whose parallel loop is large, one that updates an element atomically, and one without
// a parallel loop. One of no bounded length has two versions.
func.func @refused(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<2048x2048xf32>, %n: index) {
  %a_apart, %b_apart, %c_apart = memref.distinct_objects %a, %b, %c : memref<16xf32>, memref<16xf32>, memref<2048x2048xf32>
  %zero = arith.constant 0 : index
  affine.for %t = 0 to 2 {
    affine.for %i = 0 to 2048 {
      affine.for %j = 0 to 2048 {
        %v = affine.load %c_apart[%i, %j] : memref<2048x2048xf32>
        %w = arith.addf %v, %v : f32
        affine.store %w, %c_apart[%i, %j] : memref<2048x2048xf32>
      }
    }
  }
  affine.for %t = 0 to %n {
    affine.for %i = 0 to 16 {
      %v = affine.load %a_apart[%i] : memref<16xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %a_apart[%i] : memref<16xf32>
    }
  }
  affine.for %t = 0 to 16 {
    %x = affine.load %b_apart[%t] : memref<16xf32>
    %y = memref.atomic_rmw addf %x, %a_apart[%zero] : (f32, memref<16xf32>) -> f32
    affine.for %i = 0 to 16 {
      %v = affine.load %b_apart[%i] : memref<16xf32>
      %w = arith.addf %v, %y : f32
      affine.store %w, %b_apart[%i] : memref<16xf32>
    }
  }
  affine.for %t = 0 to 4 {
    affine.for %i = 1 to 16 {
      %p = affine.load %a_apart[%i - 1] : memref<16xf32>
      affine.store %p, %a_apart[%i] : memref<16xf32>
    }
  }
  return
}
