// Temporaries too large, or of too open a size, to be private to a thread: each iteration gets a part of one array.
// test: opt --affine-array-expansion
// test: run-opt --entry=large --arg=iota --arg=zeros
// test: run-opt --entry=open --arg=iota[40x5] --arg=zeros[40x5]
// test: run-opt --entry=batches --arg=iota[20001] --arg=zeros[20001] --arg=3
// test: run-opt --entry=batches --arg=iota[7] --arg=zeros[7] --arg=0
// test: run-opt --entry=batches --arg=iota[70] --arg=zeros[70] --arg=5000000
// test: run-opt --entry=live_out --arg=iota[9x4] --arg=zeros[9x4] --arg=iota[4]
// test: run-opt --entry=live_out --arg=iota[0x4] --arg=zeros[0x4] --arg=iota[4]
// test: run-opt --entry=counters --arg=iota[9x30] --arg=zeros[9x8] --arg=8
// test: run-opt --entry=beside_small --arg=iota[30x5] --arg=zeros[30x5]
// test: run-opt --entry=in_steps --arg=iota[50x5] --arg=zeros[50x5]
// test: run-opt --entry=kept --arg=iota[30x5] --arg=zeros[30x5]
// test: run-opt --entry=half_written --arg=iota[30x6] --arg=zeros[30x6]
// test: run-opt --entry=size_in_a_loop --arg=iota[30x6] --arg=zeros[30x6]
// test: run-opt --entry=parallel_rows --arg=iota --arg=zeros

// A static size: the number of iterations is known, and all run side by side.
func.func @large(%x: memref<64x1500xf32>, %y: memref<64x1500xf32>) {
  %t = memref.alloc() : memref<1500xf32>
  affine.for %i = 0 to 64 {
    %f = affine.load %x[%i, 0] : memref<64x1500xf32>
    affine.store %f, %t[0] : memref<1500xf32>
    affine.for %j = 1 to 1500 {
      %v = affine.load %x[%i, %j] : memref<64x1500xf32>
      %p = affine.load %t[%j - 1] : memref<1500xf32>
      %s = arith.subf %v, %p : f32
      affine.store %s, %t[%j] : memref<1500xf32>
    }
    affine.for %j = 0 to 1500 {
      %p = affine.load %t[-%j + 1499] : memref<1500xf32>
      affine.store %p, %y[%i, %j] : memref<64x1500xf32>
    }
  }
  memref.dealloc %t : memref<1500xf32>
  return
}

// Open sizes, allocated and freed in the loop: versions for two sizes of batches, and the loop as it was.
func.func @open(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    %t = memref.alloc(%n) : memref<?xf32>
    %f = affine.load %x[%i, 0] : memref<?x?xf32>
    affine.store %f, %t[0] : memref<?xf32>
    affine.for %j = 1 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      %p = affine.load %t[%j - 1] : memref<?xf32>
      %s = arith.subf %v, %p : f32
      affine.store %s, %t[%j] : memref<?xf32>
    }
    affine.for %j = 0 to %n {
      %p = affine.load %t[symbol(%n) - %j - 1] : memref<?xf32>
      affine.store %p, %y[%i, %j] : memref<?x?xf32>
    }
    memref.dealloc %t : memref<?xf32>
  }
  return
}

// More iterations than a batch has; an array so large that only few fit, or none.
func.func @batches(%x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?xi32>
  %size = arith.maxsi %n, %c1 : index
  %t = memref.alloc(%size) : memref<?xi32>
  affine.for %i = 0 to %m {
    %v = affine.load %x[%i] : memref<?xi32>
    affine.store %v, %t[0] : memref<?xi32>
    affine.for %j = 1 to min affine_map<()[s0] -> (s0, 1000)>()[%size] {
      %p = affine.load %t[%j - 1] : memref<?xi32>
      %q = arith.muli %p, %v : i32
      affine.store %q, %t[%j] : memref<?xi32>
    }
    %r = affine.load %t[0] : memref<?xi32>
    %s = arith.addi %r, %v : i32
    affine.store %s, %y[%i] : memref<?xi32>
  }
  memref.dealloc %t : memref<?xi32>
  return
}

// Scratch of the caller: the last iteration assigns what it holds afterwards.
func.func @live_out(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %t: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      affine.store %v, %t[%j] : memref<?xf32>
    }
    affine.for %j = 1 to %n {
      %v = affine.load %t[%j] : memref<?xf32>
      %p = affine.load %t[%j - 1] : memref<?xf32>
      %s = arith.subf %v, %p : f32
      affine.store %s, %t[%j] : memref<?xf32>
      affine.store %s, %y[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Counters at elements that data choose.
func.func @counters(%x: memref<?x?xi32>, %y: memref<?x?xi32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.dim %x, %c0 : memref<?x?xi32>
  %n = memref.dim %x, %c1 : memref<?x?xi32>
  %t = memref.alloc(%k) : memref<?xi32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %k {
      affine.store %zero, %t[%j] : memref<?xi32>
    }
    affine.for %j = 0 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xi32>
      %w = arith.index_cast %v : i32 to index
      %b = arith.remui %w, %k : index
      %o = memref.load %t[%b] : memref<?xi32>
      %p = arith.addi %o, %one : i32
      memref.store %p, %t[%b] : memref<?xi32>
    }
    affine.for %j = 0 to %k {
      %v = affine.load %t[%j] : memref<?xi32>
      affine.store %v, %y[%i, %j] : memref<?x?xi32>
    }
  }
  memref.dealloc %t : memref<?xi32>
  return
}

// A small array beside a large one is private memory of a thread.
func.func @beside_small(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %s = memref.alloc() : memref<4xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to 4 {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      affine.store %v, %s[%j] : memref<4xf32>
    }
    %f = affine.load %s[3] : memref<4xf32>
    affine.store %f, %t[0] : memref<?xf32>
    affine.for %j = 1 to %n {
      %v = affine.load %s[%j mod 4] : memref<4xf32>
      %p = affine.load %t[%j - 1] : memref<?xf32>
      %q = arith.subf %v, %p : f32
      affine.store %q, %t[%j] : memref<?xf32>
      affine.store %q, %y[%i, %j] : memref<?x?xf32>
    }
  }
  memref.dealloc %t : memref<?xf32>
  memref.dealloc %s : memref<4xf32>
  return
}

// Every third row, from the second on.
func.func @in_steps(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 1 to %m step 3 {
    %t = memref.alloca(%n) : memref<?xf32>
    %f = affine.load %x[%i, 0] : memref<?x?xf32>
    affine.store %f, %t[0] : memref<?xf32>
    affine.for %j = 1 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      %p = affine.load %t[%j - 1] : memref<?xf32>
      %s = arith.subf %v, %p : f32
      affine.store %s, %t[%j] : memref<?xf32>
      affine.store %s, %y[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Stays: the array keeps what the iterations before have stored.
func.func @kept(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  affine.for %j = 0 to %n {
    affine.store %zero, %t[%j] : memref<?xf32>
  }
  affine.for %i = 0 to %m {
    affine.for %j = 1 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      %p = affine.load %t[%j - 1] : memref<?xf32>
      %s = arith.subf %v, %p : f32
      affine.store %s, %t[%j] : memref<?xf32>
      affine.store %s, %y[%i, %j] : memref<?x?xf32>
    }
  }
  memref.dealloc %t : memref<?xf32>
  return
}

// Stays: every other element keeps what was stored in front of the loop.
func.func @half_written(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  affine.for %j = 0 to %n {
    affine.store %zero, %t[%j] : memref<?xf32>
  }
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n step 2 {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      affine.store %v, %t[%j] : memref<?xf32>
    }
    affine.for %j = 1 to %n {
      %v = affine.load %t[%j] : memref<?xf32>
      %p = affine.load %t[%j - 1] : memref<?xf32>
      %s = arith.subf %v, %p : f32
      affine.store %s, %t[%j] : memref<?xf32>
      affine.store %s, %y[%i, %j] : memref<?x?xf32>
    }
  }
  memref.dealloc %t : memref<?xf32>
  return
}

// Stays: how large the array is follows from the counter of the loop.
func.func @size_in_a_loop(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    %more = arith.addi %n, %i : index
    %t = memref.alloc(%more) : memref<?xf32>
    %f = affine.load %x[%i, 0] : memref<?x?xf32>
    affine.store %f, %t[0] : memref<?xf32>
    affine.for %j = 1 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      %p = affine.load %t[%j - 1] : memref<?xf32>
      %s = arith.subf %v, %p : f32
      affine.store %s, %t[%j] : memref<?xf32>
      affine.store %s, %y[%i, %j] : memref<?x?xf32>
    }
    memref.dealloc %t : memref<?xf32>
  }
  return
}

// Stays: the loops inside have more iterations that run side by side.
func.func @parallel_rows(%x: memref<2x40x200xf32>, %y: memref<2x40x200xf32>) {
  %t = memref.alloc() : memref<40x200xf32>
  affine.for %i = 0 to 2 {
    affine.for %r = 0 to 40 {
      affine.for %j = 0 to 200 {
        %v = affine.load %x[%i, %r, %j] : memref<2x40x200xf32>
        %w = arith.mulf %v, %v : f32
        affine.store %w, %t[%r, %j] : memref<40x200xf32>
      }
    }
    affine.for %r = 1 to 40 {
      affine.for %j = 1 to 200 {
        %v = affine.load %t[%r, %j] : memref<40x200xf32>
        %w = affine.load %t[%r - 1, %j - 1] : memref<40x200xf32>
        %u = arith.addf %v, %w : f32
        affine.store %u, %y[%i, %r, %j] : memref<2x40x200xf32>
      }
    }
  }
  memref.dealloc %t : memref<40x200xf32>
  return
}
