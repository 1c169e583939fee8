// test: opt --affine-loop-strip-mine --canonicalize
// test: run-opt --entry=product --arg=random:1 --arg=random:1 --arg=random:1
// test: run-opt --entry=sums_by_remainder --arg=random:1 --arg=random:1
// test: run-opt --entry=rows_of_a_flat_loop --arg=random:1 --arg=random:1
// test: run-opt --entry=table --arg=random:1 --arg=random:1
// test: run-opt --entry=stay --arg=random:1 --arg=random:1 --arg=random:1
// test: run-opt --entry=short_groups --arg=random:1 --arg=random:1 --arg=random:1
// test: run-opt --entry=short_rows --arg=random:1 --arg=random:1
// test: run-opt --entry=multiples --arg=random:1 --arg=random:1
// test: stages --offload

// The matrix product in one loop: rows, columns and the sum apart.
func.func @product(%a: memref<8x4xf32>, %b: memref<4x6xf32>, %c: memref<8x6xf32>) {
  affine.for %t = 0 to 192 {
    %x = affine.load %a[(%t floordiv 4) floordiv 6, %t mod 4] : memref<8x4xf32>
    %y = affine.load %b[%t mod 4, (%t floordiv 4) mod 6] : memref<4x6xf32>
    %s = affine.load %c[%t floordiv 24, (%t floordiv 4) mod 6] : memref<8x6xf32>
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    affine.store %r, %c[%t floordiv 24, (%t floordiv 4) mod 6] : memref<8x6xf32>
  }
  return
}

// The counter itself is used too.
func.func @sums_by_remainder(%a: memref<40xi32>, %s: memref<8xi32>) {
  affine.for %t = 0 to 40 {
    %x = affine.load %a[%t] : memref<40xi32>
    %y = affine.load %s[%t mod 8] : memref<8xi32>
    %z = arith.addi %x, %y : i32
    affine.store %z, %s[%t mod 8] : memref<8xi32>
  }
  return
}

// Parallel as it is, but its rows and columns may share what the inner loop reads.
func.func @rows_of_a_flat_loop(%a: memref<16x32xf32>, %c: memref<16x16xf32>) {
  affine.for %t = 0 to 256 {
    affine.for %k = 0 to 32 {
      %x = affine.load %a[%t floordiv 16, %k] : memref<16x32xf32>
      %y = affine.load %a[%t mod 16, %k] : memref<16x32xf32>
      %s = affine.load %c[%t floordiv 16, %t mod 16] : memref<16x16xf32>
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %s, %p : f32
      affine.store %r, %c[%t floordiv 16, %t mod 16] : memref<16x16xf32>
    }
  }
  return
}

// Parallel and of few groups: channels of one group share what they read, and no row is cut.
func.func @short_groups(%x: memref<6x20xf32>, %w: memref<6x3xf32>, %y: memref<6x20xf32>) {
  affine.for %o = 0 to 6 {
    affine.for %i = 0 to 20 {
      affine.for %c = 0 to 3 {
        %v = affine.load %x[(%o floordiv 3) * 3 + %c, %i] : memref<6x20xf32>
        %k = affine.load %w[%o, %c] : memref<6x3xf32>
        %s = affine.load %y[%o, %i] : memref<6x20xf32>
        %p = arith.mulf %v, %k : f32
        %r = arith.addf %s, %p : f32
        affine.store %r, %y[%o, %i] : memref<6x20xf32>
      }
    }
  }
  return
}

// The same along rows, which would become short: stays.
func.func @short_rows(%x: memref<6x3xf32>, %y: memref<6xf32>) {
  affine.for %o = 0 to 6 {
    affine.for %c = 0 to 3 {
      %v = affine.load %x[(%o floordiv 3) * 3 + %c, %c] : memref<6x3xf32>
      %s = affine.load %y[%o] : memref<6xf32>
      %r = arith.addf %s, %v : f32
      affine.store %r, %y[%o] : memref<6xf32>
    }
  }
  return
}

// Parallel, and nothing inside: stays.
func.func @table(%a: memref<64xf32>, %f: memref<8xf32>) {
  affine.for %t = 0 to 64 {
    %x = affine.load %a[%t] : memref<64xf32>
    %y = affine.load %f[%t mod 8] : memref<8xf32>
    %z = arith.mulf %x, %y : f32
    affine.store %z, %a[%t] : memref<64xf32>
  }
  return
}

// 8 does not divide 41, 6 is no multiple of 4, and a carried value goes through all iterations:
// all three stay.
func.func @stay(%a: memref<41xi32>, %s: memref<8xi32>, %n: memref<1xi32>) {
  affine.for %t = 0 to 41 {
    %x = affine.load %a[%t] : memref<41xi32>
    affine.store %x, %s[%t mod 8] : memref<8xi32>
  }
  affine.for %t = 0 to 24 {
    %x = affine.load %a[%t floordiv 4] : memref<41xi32>
    affine.store %x, %s[%t mod 6] : memref<8xi32>
  }
  %zero = arith.constant 0 : i32
  %sum = affine.for %t = 0 to 40 iter_args(%before = %zero) -> (i32) {
    %x = affine.load %a[%t floordiv 8] : memref<41xi32>
    %after = arith.addi %before, %x : i32
    affine.yield %after : i32
  }
  affine.store %sum, %n[0] : memref<1xi32>
  return
}

// A multiple of the counter over a number: 32 iterations advance the quotient by 5.
func.func @multiples(%x: memref<320xi32>, %w: memref<50xi32>) {
  affine.for %i = 0 to 320 {
    %v = affine.load %x[%i] : memref<320xi32>
    %o = affine.load %w[(%i * 5) floordiv 32] : memref<50xi32>
    %r = arith.addi %o, %v : i32
    affine.store %r, %w[(%i * 5) floordiv 32] : memref<50xi32>
  }
  return
}
