// Elements that quotients and bits of counters choose, several iterations to one: their updates are atomic, or independent
// where each iteration has its own. Of 32 iterations, (5 i) floordiv 32 has 7 at 0 (i = 0 to 6), 6 at 1, 7 at 2, 6 at 3 and
// 6 at 4, and then again 5 further on. i xor 5 swaps i with i + 5, i + 3, i - 3 or i - 5.
// test: run --entry=quotients --arg=ones[64] --arg=zeros
// test: run --entry=quotients --arg=ones[64] --arg=zeros --no-specialize
// expect: arg 1 = [7, 6, 7, 6, 6, 7, 6, 7, 6, 6]
// test: run --entry=fixed --arg=iota --arg=zeros
// expect: arg 1 = [21, 57, 112, 135, 171]
// test: run --entry=swapped --arg=iota --arg=zeros
// expect: arg 1 = [5, 4, 7, 6, 1, 0, 3, 2, 13, 12, 15, 14, 9, 8, 11, 10]
// test: run --entry=ones --arg=zeros
// expect: arg 0 = [1, 6, 15, 20, 15, 6, 1]
// test: run --entry=shares --arg=ones[64] --arg=10 --arg=zeros
// expect: arg 2 = [10, 10, 10, 10, 10, 10, 4]
// test: run --entry=packed --arg=ones[32] --arg=zeros --no-specialize
// expect: arg 1 = [1108378657, 277094664, -2078209982, 554189328, 138547332]

// An open number of iterations, which no nest of strips divides.
func.func @quotients(%x: memref<?xi32>, %w: memref<10xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xi32>
    %o = affine.load %w[(%i * 5) floordiv 32] : memref<10xi32>
    %r = arith.addi %o, %v : i32
    affine.store %r, %w[(%i * 5) floordiv 32] : memref<10xi32>
  }
  return
}

// 0 + ... + 6, 7 + ... + 12, 13 + ... + 19, 20 + ... + 25, 26 + ... + 31: 496 in all.
func.func @fixed(%x: memref<32xi32>, %w: memref<5xi32>) {
  affine.for %i = 0 to 32 {
    %v = affine.load %x[%i] : memref<32xi32>
    %o = affine.load %w[(%i * 5) floordiv 32] : memref<5xi32>
    %r = arith.addi %o, %v : i32
    affine.store %r, %w[(%i * 5) floordiv 32] : memref<5xi32>
  }
  return
}

func.func @swapped(%x: memref<16xi32>, %h: memref<16xi32>) {
  %five = arith.constant 5 : i32
  affine.for %i = 0 to 16 {
    %v = affine.load %x[%i] : memref<16xi32>
    %n = arith.index_cast %i : index to i32
    %k = arith.xori %n, %five : i32
    %q = arith.index_cast %k : i32 to index
    %o = memref.load %h[%q] : memref<16xi32>
    %r = arith.addi %o, %v : i32
    memref.store %r, %h[%q] : memref<16xi32>
  }
  return
}

// Numbers of 6 bits by their ones: binomial coefficients.
func.func @ones(%h: memref<7xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %n = arith.index_cast %i : index to i32
    %k = math.ctpop %n : i32
    %q = arith.index_cast %k : i32 to index
    %o = memref.load %h[%q] : memref<7xi32>
    %r = arith.addi %o, %one : i32
    memref.store %r, %h[%q] : memref<7xi32>
  }
  return
}

// Shares of a length that only the run knows.
func.func @shares(%x: memref<?xf32>, %s: index, %h: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %q = arith.divui %i, %s : index
    %o = memref.load %h[%q] : memref<7xf32>
    %r = arith.addf %o, %v : f32
    memref.store %r, %h[%q] : memref<7xf32>
  }
  return
}

// Ones in fields of 5 bits, 32 of which are 5 words: bits 0, 5, ..., 30 of the first, 3, ..., 28 of the second, then from
// bits 1, 4 and 2 on.
func.func @packed(%x: memref<?xi32>, %w: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %c31 = arith.constant 31 : i32
  %c5 = arith.constant 5 : i32
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xi32>
    %k = arith.index_cast %i : index to i32
    %b = arith.muli %k, %c5 : i32
    %s = arith.andi %b, %c31 : i32
    %z = arith.shli %v, %s : i32
    %j = arith.shrsi %b, %c5 : i32
    %q = arith.index_cast %j : i32 to index
    %o = memref.load %w[%q] : memref<5xi32>
    %r = arith.ori %o, %z : i32
    memref.store %r, %w[%q] : memref<5xi32>
  }
  return
}
