// Loops that start the transfer of a later tile, in the forms in which one writes them: a last tile that is shorter, an
// open number of tiles, two buffers by name, two and three that the loop exchanges. Those that a call takes, or that the loop
// hands on in another way as well, stay.
// test: opt --affine-unpipeline-data-transfer --lower-memref-dma --canonicalize --cse
// test: run --entry=shorter --arg=iota --arg=zeros
// test: run-opt --entry=shorter --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]
// test: run --entry=open --arg=iota[8] --arg=zeros[8]
// test: run-opt --entry=open --arg=iota[8] --arg=zeros[8]
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14]
// test: run --entry=by_name --arg=iota --arg=zeros
// test: run-opt --entry=by_name --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14]
// test: run --entry=exchanged --arg=iota --arg=zeros
// test: run-opt --entry=exchanged --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14]
// test: run --entry=ring --arg=iota --arg=zeros
// test: run-opt --entry=ring --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14]
// test: run --entry=shorter_rows --arg=iota[5x4] --arg=zeros[5x4]
// test: run-opt --entry=shorter_rows --arg=iota[5x4] --arg=zeros[5x4]
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38]
// test: run --entry=flat --arg=iota --arg=zeros
// test: run-opt --entry=flat --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]

// test: run --entry=called --arg=iota --arg=zeros
// test: run-opt --entry=called --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14]
// test: run --entry=kept_too --arg=iota --arg=zeros
// test: run-opt --entry=kept_too --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 4, 6, 8, 10, 12]

// Tiles of 4 of 10 elements.
func.func @shorter(%x: memref<10xf32>, %y: memref<10xf32>) {
  %n = arith.constant 4 : index
  %two = arith.constant 2.0 : f32
  %buffer = memref.alloc() : memref<2x4xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[0], %buffer[0, 0], %tag[0], %n : memref<10xf32>, memref<2x4xf32, 3>, memref<2xi32>
  affine.for %i = 0 to 3 {
    affine.if affine_set<(d0) : (1 - d0 >= 0)>(%i) {
      %next = affine.min affine_map<(d0) -> (4, 6 - d0 * 4)>(%i)
      affine.dma_start %x[(%i + 1) * 4], %buffer[(%i + 1) mod 2, 0], %tag[(%i + 1) mod 2], %next : memref<10xf32>, memref<2x4xf32, 3>, memref<2xi32>
    }
    %m = affine.min affine_map<(d0) -> (4, 10 - d0 * 4)>(%i)
    affine.dma_wait %tag[%i mod 2], %m : memref<2xi32>
    affine.for %j = 0 to min affine_map<(d0) -> (4, 10 - d0 * 4)>(%i) {
      %v = affine.load %buffer[%i mod 2, %j] : memref<2x4xf32, 3>
      %w = arith.mulf %v, %two : f32
      affine.store %w, %y[%i * 4 + %j] : memref<10xf32>
    }
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %buffer : memref<2x4xf32, 3>
  return
}

func.func @open(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 2 : index
  %two = arith.constant 2.0 : f32
  %size = memref.dim %x, %c0 : memref<?xf32>
  %buffer = memref.alloc() : memref<2x2xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[0], %buffer[0, 0], %tag[0], %n : memref<?xf32>, memref<2x2xf32, 3>, memref<2xi32>
  affine.for %i = 0 to affine_map<()[s0] -> (s0 floordiv 2)>()[%size] {
    affine.if affine_set<(d0)[s0] : (s0 floordiv 2 - 2 - d0 >= 0)>(%i)[%size] {
      affine.dma_start %x[(%i + 1) * 2], %buffer[(%i + 1) mod 2, 0], %tag[(%i + 1) mod 2], %n : memref<?xf32>, memref<2x2xf32, 3>, memref<2xi32>
    }
    affine.dma_wait %tag[%i mod 2], %n : memref<2xi32>
    affine.for %j = 0 to 2 {
      %v = affine.load %buffer[%i mod 2, %j] : memref<2x2xf32, 3>
      %w = arith.mulf %v, %two : f32
      affine.store %w, %y[%i * 2 + %j] : memref<?xf32>
    }
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %buffer : memref<2x2xf32, 3>
  return
}

// Two tiles for each iteration: one was started in the iteration before, the other one is in this one.
func.func @by_name(%x: memref<8xf32>, %y: memref<8xf32>) {
  %n = arith.constant 2 : index
  %two = arith.constant 2.0 : f32
  %ping = memref.alloc() : memref<2xf32, 3>
  %pong = memref.alloc() : memref<2xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[0], %ping[0], %tag[0], %n : memref<8xf32>, memref<2xf32, 3>, memref<2xi32>
  affine.for %i = 0 to 4 step 2 {
    affine.dma_start %x[(%i + 1) * 2], %pong[0], %tag[1], %n : memref<8xf32>, memref<2xf32, 3>, memref<2xi32>
    affine.dma_wait %tag[0], %n : memref<2xi32>
    affine.for %j = 0 to 2 {
      %v = affine.load %ping[%j] : memref<2xf32, 3>
      %w = arith.mulf %v, %two : f32
      affine.store %w, %y[%i * 2 + %j] : memref<8xf32>
    }
    affine.if affine_set<(d0) : (1 - d0 >= 0)>(%i) {
      affine.dma_start %x[(%i + 2) * 2], %ping[0], %tag[0], %n : memref<8xf32>, memref<2xf32, 3>, memref<2xi32>
    }
    affine.dma_wait %tag[1], %n : memref<2xi32>
    affine.for %j = 0 to 2 {
      %v = affine.load %pong[%j] : memref<2xf32, 3>
      %w = arith.mulf %v, %two : f32
      affine.store %w, %y[%i * 2 + %j + 2] : memref<8xf32>
    }
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %ping : memref<2xf32, 3>
  memref.dealloc %pong : memref<2xf32, 3>
  return
}

func.func @exchanged(%x: memref<8xf32>, %y: memref<8xf32>) {
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %b0 = memref.alloc() : memref<2xf32, 3>
  %b1 = memref.alloc() : memref<2xf32, 3>
  %t0 = memref.alloc() : memref<1xi32>
  %t1 = memref.alloc() : memref<1xi32>
  memref.dma_start %x[%c0], %b0[%c0], %c2, %t0[%c0] : memref<8xf32>, memref<2xf32, 3>, memref<1xi32>
  %r:4 = scf.for %i = %c0 to %c4 step %c1 iter_args(%now = %b0, %next = %b1, %tag = %t0, %tag_next = %t1) -> (memref<2xf32, 3>, memref<2xf32, 3>, memref<1xi32>, memref<1xi32>) {
    %more = arith.cmpi slt, %i, %c3 : index
    scf.if %more {
      %later = arith.addi %i, %c1 : index
      %at = arith.muli %later, %c2 : index
      memref.dma_start %x[%at], %next[%c0], %c2, %tag_next[%c0] : memref<8xf32>, memref<2xf32, 3>, memref<1xi32>
    }
    memref.dma_wait %tag[%c0], %c2 : memref<1xi32>
    %base = arith.muli %i, %c2 : index
    scf.for %j = %c0 to %c2 step %c1 {
      %v = memref.load %now[%j] : memref<2xf32, 3>
      %w = arith.mulf %v, %two : f32
      %k = arith.addi %base, %j : index
      memref.store %w, %y[%k] : memref<8xf32>
    }
    scf.yield %next, %now, %tag_next, %tag : memref<2xf32, 3>, memref<2xf32, 3>, memref<1xi32>, memref<1xi32>
  }
  memref.dealloc %t0 : memref<1xi32>
  memref.dealloc %t1 : memref<1xi32>
  memref.dealloc %b0 : memref<2xf32, 3>
  memref.dealloc %b1 : memref<2xf32, 3>
  return
}

// Three buffers, two tiles ahead; the last two tiles behind the loop.
func.func @ring(%x: memref<8xf32>, %y: memref<8xf32>) {
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %b0 = memref.alloc() : memref<2xf32, 3>
  %b1 = memref.alloc() : memref<2xf32, 3>
  %b2 = memref.alloc() : memref<2xf32, 3>
  %t0 = memref.alloc() : memref<1xi32>
  %t1 = memref.alloc() : memref<1xi32>
  %t2 = memref.alloc() : memref<1xi32>
  memref.dma_start %x[%c0], %b0[%c0], %c2, %t0[%c0] : memref<8xf32>, memref<2xf32, 3>, memref<1xi32>
  memref.dma_start %x[%c2], %b1[%c0], %c2, %t1[%c0] : memref<8xf32>, memref<2xf32, 3>, memref<1xi32>
  %r:6 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %b0, %q = %b1, %s = %b2, %tp = %t0, %tq = %t1, %ts = %t2) -> (memref<2xf32, 3>, memref<2xf32, 3>, memref<2xf32, 3>, memref<1xi32>, memref<1xi32>, memref<1xi32>) {
    %later = arith.addi %i, %c2 : index
    %at = arith.muli %later, %c2 : index
    memref.dma_start %x[%at], %s[%c0], %c2, %ts[%c0] : memref<8xf32>, memref<2xf32, 3>, memref<1xi32>
    memref.dma_wait %tp[%c0], %c2 : memref<1xi32>
    %base = arith.muli %i, %c2 : index
    scf.for %j = %c0 to %c2 step %c1 {
      %v = memref.load %p[%j] : memref<2xf32, 3>
      %w = arith.mulf %v, %two : f32
      %k = arith.addi %base, %j : index
      memref.store %w, %y[%k] : memref<8xf32>
    }
    scf.yield %q, %s, %p, %tq, %ts, %tp : memref<2xf32, 3>, memref<2xf32, 3>, memref<2xf32, 3>, memref<1xi32>, memref<1xi32>, memref<1xi32>
  }
  memref.dma_wait %r#3[%c0], %c2 : memref<1xi32>
  scf.for %j = %c0 to %c2 step %c1 {
    %v = memref.load %r#0[%j] : memref<2xf32, 3>
    %w = arith.mulf %v, %two : f32
    %k = arith.addi %c4, %j : index
    memref.store %w, %y[%k] : memref<8xf32>
  }
  memref.dma_wait %r#4[%c0], %c2 : memref<1xi32>
  scf.for %j = %c0 to %c2 step %c1 {
    %v = memref.load %r#1[%j] : memref<2xf32, 3>
    %w = arith.mulf %v, %two : f32
    %k = arith.addi %c6, %j : index
    memref.store %w, %y[%k] : memref<8xf32>
  }
  memref.dealloc %t0 : memref<1xi32>
  memref.dealloc %t1 : memref<1xi32>
  memref.dealloc %t2 : memref<1xi32>
  memref.dealloc %r#0 : memref<2xf32, 3>
  memref.dealloc %r#1 : memref<2xf32, 3>
  memref.dealloc %r#2 : memref<2xf32, 3>
  return
}

// Tiles of 2 by 2, the last ones of one row; the numbers of rows and columns are open.
func.func @shorter_rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = memref.dim %x, %c0 : memref<?x?xf32>
  %w = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %h step 2 {
    affine.for %j = 0 to affine_map<()[s0] -> (s0 floordiv 2)>()[%w] {
      %b = memref.alloc() : memref<2x2xf32, 3>
      %tag = memref.alloc() : memref<1xi32>
      %m = affine.min affine_map<(d0)[s0] -> (2, s0 - d0)>(%i)[%h]
      %n = arith.muli %m, %c2 : index
      affine.dma_start %x[%i, %j * 2], %b[0, 0], %tag[0], %n, %w, %c2 : memref<?x?xf32>, memref<2x2xf32, 3>, memref<1xi32>
      affine.dma_wait %tag[0], %n : memref<1xi32>
      affine.for %ii = 0 to min affine_map<(d0)[s0] -> (2, s0 - d0)>(%i)[%h] {
        affine.for %jj = 0 to 2 {
          %v = affine.load %b[%ii, %jj] : memref<2x2xf32, 3>
          %z = arith.mulf %v, %two : f32
          affine.store %z, %y[%i + %ii, %j * 2 + %jj] : memref<?x?xf32>
        }
      }
      memref.dealloc %tag : memref<1xi32>
      memref.dealloc %b : memref<2x2xf32, 3>
    }
  }
  return
}

// A flat array of 4 rows: tiles of 2 by 2 in, and out again.
func.func @flat(%x: memref<16xf32>, %y: memref<16xf32>) {
  %two = arith.constant 2.0 : f32
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %b = memref.alloc() : memref<2x2xf32, 3>
      %tag = memref.alloc() : memref<1xi32>
      affine.dma_start %x[%i * 8 + %j * 2], %b[0, 0], %tag[0], %c4, %c4, %c2 : memref<16xf32>, memref<2x2xf32, 3>, memref<1xi32>
      affine.dma_wait %tag[0], %c4 : memref<1xi32>
      affine.for %ii = 0 to 2 {
        affine.for %jj = 0 to 2 {
          %v = affine.load %b[%ii, %jj] : memref<2x2xf32, 3>
          %w = arith.mulf %v, %two : f32
          affine.store %w, %b[%ii, %jj] : memref<2x2xf32, 3>
        }
      }
      affine.dma_start %b[0, 0], %y[%i * 8 + %j * 2], %tag[0], %c4, %c4, %c2 : memref<2x2xf32, 3>, memref<16xf32>, memref<1xi32>
      affine.dma_wait %tag[0], %c4 : memref<1xi32>
      memref.dealloc %tag : memref<1xi32>
      memref.dealloc %b : memref<2x2xf32, 3>
    }
  }
  return
}

func.func private @double(%from: memref<2xf32, 3>, %to: memref<8xf32>, %at: index) {
  %two = arith.constant 2.0 : f32
  affine.for %j = 0 to 2 {
    %v = affine.load %from[%j] : memref<2xf32, 3>
    %w = arith.mulf %v, %two : f32
    affine.store %w, %to[symbol(%at) * 2 + %j] : memref<8xf32>
  }
  return
}

func.func @called(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b0 = memref.alloc() : memref<2xf32, 3>
  %b1 = memref.alloc() : memref<2xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[0], %b0[0], %tag[0], %c2 : memref<8xf32>, memref<2xf32, 3>, memref<2xi32>
  %r:2 = affine.for %i = 0 to 4 iter_args(%now = %b0, %next = %b1) -> (memref<2xf32, 3>, memref<2xf32, 3>) {
    affine.if affine_set<(d0) : (2 - d0 >= 0)>(%i) {
      affine.dma_start %x[%i * 2 + 2], %next[0], %tag[(%i + 1) mod 2], %c2 : memref<8xf32>, memref<2xf32, 3>, memref<2xi32>
    }
    affine.dma_wait %tag[%i mod 2], %c2 : memref<2xi32>
    func.call @double(%now, %y, %i) : (memref<2xf32, 3>, memref<8xf32>, index) -> ()
    affine.yield %next, %now : memref<2xf32, 3>, memref<2xf32, 3>
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %b0 : memref<2xf32, 3>
  memref.dealloc %b1 : memref<2xf32, 3>
  return
}

// The tile before is read as well.
func.func @kept_too(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %b0 = memref.alloc() : memref<2xf32, 3>
  %b1 = memref.alloc() : memref<2xf32, 3>
  %none = memref.alloc() : memref<2xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.for %j = 0 to 2 {
    affine.store %zero, %none[%j] : memref<2xf32, 3>
  }
  affine.for %i = 0 to 4 iter_args(%now = %b0, %next = %b1, %before = %none) -> (memref<2xf32, 3>, memref<2xf32, 3>, memref<2xf32, 3>) {
    affine.dma_start %x[%i * 2], %now[0], %tag[%i mod 2], %c2 : memref<8xf32>, memref<2xf32, 3>, memref<2xi32>
    affine.dma_wait %tag[%i mod 2], %c2 : memref<2xi32>
    affine.for %j = 0 to 2 {
      %v = affine.load %now[%j] : memref<2xf32, 3>
      %w = affine.load %before[%j] : memref<2xf32, 3>
      %s = arith.addf %v, %w : f32
      affine.store %s, %y[%i * 2 + %j] : memref<8xf32>
    }
    affine.yield %next, %now, %now : memref<2xf32, 3>, memref<2xf32, 3>, memref<2xf32, 3>
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %b0 : memref<2xf32, 3>
  memref.dealloc %b1 : memref<2xf32, 3>
  memref.dealloc %none : memref<2xf32, 3>
  return
}
