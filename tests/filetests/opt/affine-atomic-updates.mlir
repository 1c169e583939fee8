// test: opt --affine-atomic-updates
// test: run-opt --entry=counts --arg=ones --arg=random:1
// test: run-opt --entry=used --arg=ones --arg=random:1 --arg=random:1
// test: run-opt --entry=read --arg=ones --arg=random:1 --arg=random:1
// test: run-opt --entry=read_again --arg=ones --arg=random:1 --arg=random:1
// test: run-opt --entry=two_kinds --arg=ones --arg=random:1
// test: run-opt --entry=interleaved --arg=ones --arg=random:1
// test: run-opt --entry=kept --arg=zeros --arg=random:1 --arg=random:1 --arg=random:1
// test: run-opt --entry=not_kept --arg=zeros --arg=random:1 --arg=random:1 --arg=zeros
// test: run-opt --entry=rows --arg=ones --arg=random:1
// test: run-opt --entry=quotients --arg=ones --arg=random:1
// test: run-opt --entry=bits --arg=ones --arg=random:1
// test: run-opt --entry=lines --arg=ones --arg=random:1

// Counts of bins: nothing else touches %h, so the update can be atomic.
func.func @counts(%a: memref<64xi32>, %h: memref<8xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %n = memref.load %h[%b] : memref<8xi32>
    %m = arith.subi %n, %one : i32
    memref.store %m, %h[%b] : memref<8xi32>
  }
  return
}

// Left: the sum is used, so its order shows.
func.func @used(%a: memref<64xi32>, %h: memref<8xi32>, %out: memref<64xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %n = memref.load %h[%b] : memref<8xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %h[%b] : memref<8xi32>
    affine.store %m, %out[%i] : memref<64xi32>
  }
  return
}

// Left: another iteration may read what one has counted.
func.func @read(%a: memref<64xi32>, %h: memref<64xi32>, %out: memref<64xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %n = memref.load %h[%b] : memref<64xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %h[%b] : memref<64xi32>
    %x = affine.load %h[%i] : memref<64xi32>
    affine.store %x, %out[%i] : memref<64xi32>
  }
  return
}

// Left: the element read twice is one that the update may change.
func.func @read_again(%a: memref<64xi32>, %h: memref<64xi32>, %out: memref<64xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %n = memref.load %h[%b] : memref<64xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %h[%b] : memref<64xi32>
    %x = memref.load %h[%b] : memref<64xi32>
    affine.store %x, %out[%i] : memref<64xi32>
  }
  return
}

// Left: sums and products do not commute.
func.func @two_kinds(%a: memref<64xi32>, %h: memref<8xi32>) {
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %n = memref.load %h[%b] : memref<8xi32>
    %m = arith.addi %n, %three : i32
    memref.store %m, %h[%b] : memref<8xi32>
    %k = memref.load %h[%b] : memref<8xi32>
    %l = arith.muli %k, %three : i32
    memref.store %l, %h[%b] : memref<8xi32>
  }
  return
}

// Left: both loads come before both stores, so of two updates of one element the first is lost.
func.func @interleaved(%a: memref<64xi32>, %h: memref<8xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %w = affine.load %a[63 - %i] : memref<64xi32>
    %c = arith.index_cast %w : i32 to index
    %n = memref.load %h[%b] : memref<8xi32>
    %k = memref.load %h[%c] : memref<8xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %h[%b] : memref<8xi32>
    %l = arith.addi %k, %one : i32
    memref.store %l, %h[%c] : memref<8xi32>
  }
  return
}

// Left: the counter chooses the element, which other forms serve better.
func.func @rows(%a: memref<64x8xi32>, %h: memref<8xi32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 8 {
      %v = affine.load %a[%i, %j] : memref<64x8xi32>
      %n = memref.load %h[%j] : memref<8xi32>
      %m = arith.addi %n, %v : i32
      memref.store %m, %h[%j] : memref<8xi32>
    }
  }
  return
}

// What chooses the element is carried by a loop that loads.
func.func @carried(%s: memref<200xindex>) -> memref<64xi32> {
  %counts = memref.alloc() : memref<64xi32>
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 198 {
    %none = arith.constant 0 : index
    %sum = affine.for %j = 0 to 3 iter_args(%before = %none) -> (index) {
      %b = affine.load %s[%i + %j] : memref<200xindex>
      %next = arith.addi %before, %b : index
      affine.yield %next : index
    }
    %n = memref.load %counts[%sum] : memref<64xi32>
    %up = arith.addi %n, %one : i32
    memref.store %up, %counts[%sum] : memref<64xi32>
  }
  return %counts : memref<64xi32>
}

// What chooses it is carried by a loop that only counts: no update by data.
func.func @counted() -> memref<64xi32> {
  %counts = memref.alloc() : memref<64xi32>
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %sum = affine.for %j = 0 to 3 iter_args(%before = %i) -> (index) {
      %next = arith.muli %before, %j : index
      affine.yield %next : index
    }
    %n = memref.load %counts[%sum] : memref<64xi32>
    %up = arith.addi %n, %one : i32
    memref.store %up, %counts[%sum] : memref<64xi32>
  }
  return %counts : memref<64xi32>
}

// Extrema by comparison: an unsigned one of integers, and one of floats that keeps the comparison.
func.func @kept(%a: memref<64xi32>, %w: memref<64xf32>, %h: memref<8xi32>, %g: memref<8xf32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %n = memref.load %h[%b] : memref<8xi32>
    %c = arith.cmpi ugt, %n, %v : i32
    %m = arith.select %c, %n, %v : i32
    memref.store %m, %h[%b] : memref<8xi32>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %x = affine.load %w[%i] : memref<64xf32>
    %n = memref.load %g[%b] : memref<8xf32>
    %c = arith.cmpf ule, %n, %x fastmath<nsz> : f32
    %m = arith.select %c, %n, %x : f32
    memref.store %m, %g[%b] : memref<8xf32>
  }
  return
}

// Left: an unordered comparison takes NaN, and whatever comes behind it; one of two comparisons is no
// extremum; a condition used twice shows what was held.
func.func @not_kept(%a: memref<64xi32>, %w: memref<64xf32>, %g: memref<8xf32>, %out: memref<64xi1>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %x = affine.load %w[%i] : memref<64xf32>
    %n = memref.load %g[%b] : memref<8xf32>
    %c = arith.cmpf ugt, %x, %n : f32
    %m = arith.select %c, %x, %n : f32
    memref.store %m, %g[%b] : memref<8xf32>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %x = affine.load %w[%i] : memref<64xf32>
    %n = memref.load %g[%b] : memref<8xf32>
    %c = arith.cmpf oeq, %x, %n : f32
    %m = arith.select %c, %x, %n : f32
    memref.store %m, %g[%b] : memref<8xf32>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %x = affine.load %w[%i] : memref<64xf32>
    %n = memref.load %g[%b] : memref<8xf32>
    %c = arith.cmpf ogt, %x, %n : f32
    %m = arith.select %c, %x, %n : f32
    memref.store %m, %g[%b] : memref<8xf32>
    affine.store %c, %out[%i] : memref<64xi1>
  }
  return
}

// Quotients of counters put several iterations on one element: its subscript is spelled out.
func.func @quotients(%x: memref<64xi32>, %w: memref<10xi32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %o = affine.load %w[(%i * 5) floordiv 32] : memref<10xi32>
    %r = arith.addi %o, %v : i32
    affine.store %r, %w[(%i * 5) floordiv 32] : memref<10xi32>
  }
  return
}

// Bits of counters that no affine expression gives.
func.func @bits(%x: memref<64xi32>, %h: memref<7xi32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %n = arith.index_cast %i : index to i32
    %k = math.ctpop %n : i32
    %q = arith.index_cast %k : i32 to index
    %o = memref.load %h[%q] : memref<7xi32>
    %r = arith.addi %o, %v : i32
    memref.store %r, %h[%q] : memref<7xi32>
  }
  return
}

// Left: sums along diagonals, which are reductions over lines.
func.func @lines(%x: memref<8x8xi32>, %w: memref<15xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<8x8xi32>
      %o = affine.load %w[%i + %j] : memref<15xi32>
      %r = arith.addi %o, %v : i32
      affine.store %r, %w[%i + %j] : memref<15xi32>
    }
  }
  return
}
