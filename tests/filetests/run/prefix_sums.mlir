// Summed-area tables. Of ones, with a border of zeros, element i, j is i * j; the sum of a rectangle
// is its area.
//
// test: run --entry=recurrence --arg=ones --arg=zeros
// expect: arg 1 = [0, 0, 0, 0, 0, 1, 2, 3, 0, 2, 4, 6, 0, 3, 6, 9, 0, 4, 8, 12]
// test: run --map-for=gpu --entry=recurrence --arg=ones --arg=zeros
// expect: arg 1 = [0, 0, 0, 0, 0, 1, 2, 3, 0, 2, 4, 6, 0, 3, 6, 9, 0, 4, 8, 12]
func.func @recurrence(%a: memref<4x3xf32>, %s: memref<5x4xf32>) {
  affine.for %i = 1 to 5 {
    affine.for %j = 1 to 4 {
      %v = affine.load %a[%i - 1, %j - 1] : memref<4x3xf32>
      %u = affine.load %s[%i - 1, %j] : memref<5x4xf32>
      %l = affine.load %s[%i, %j - 1] : memref<5x4xf32>
      %d = affine.load %s[%i - 1, %j - 1] : memref<5x4xf32>
      %x = arith.addf %v, %u : f32
      %y = arith.addf %x, %l : f32
      %z = arith.subf %y, %d : f32
      affine.store %z, %s[%i, %j] : memref<5x4xf32>
    }
  }
  return
}

// The first row and column are not of sums: 10 + i and 10 + j, so that the element is
// s[i, 0] + s[0, j] - s[0, 0] + i * j. The counters are those of C: 32 bits, in memory.
//
// test: run --entry=open --arg=ones[3x3] --arg=zeros[3x3] --arg=3 --arg=3
// expect: arg 1 = [10, 11, 12, 11, 13, 15, 12, 15, 18]
// test: run --entry=open --arg=ones[1x1] --arg=zeros[1x1] --arg=1 --arg=1
// expect: arg 1 = [10]
func.func @open(%a: memref<?x?xi32>, %s: memref<?x?xi32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ten = arith.constant 10 : i32
  %rows = arith.index_cast %n : i32 to index
  %columns = arith.index_cast %m : i32 to index
  scf.for %i = %c0 to %rows step %c1 {
    %k = arith.index_cast %i : index to i32
    %v = arith.addi %k, %ten : i32
    memref.store %v, %s[%i, %c0] : memref<?x?xi32>
  }
  scf.for %j = %c0 to %columns step %c1 {
    %k = arith.index_cast %j : index to i32
    %v = arith.addi %k, %ten : i32
    memref.store %v, %s[%c0, %j] : memref<?x?xi32>
  }
  scf.for %i = %c1 to %rows step %c1 {
    scf.for %j = %c1 to %columns step %c1 {
      %up = arith.subi %i, %c1 : index
      %left = arith.subi %j, %c1 : index
      %v = memref.load %a[%i, %j] : memref<?x?xi32>
      %u = memref.load %s[%up, %j] : memref<?x?xi32>
      %x = arith.addi %v, %u : i32
      %l = memref.load %s[%i, %left] : memref<?x?xi32>
      %y = arith.addi %x, %l : i32
      %d = memref.load %s[%up, %left] : memref<?x?xi32>
      %z = arith.subi %y, %d : i32
      memref.store %z, %s[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// The loop carries the sum of the row.
//
// test: run --entry=carried --arg=ones --arg=zeros
// expect: arg 1 = [0, 0, 0, 1, 2, 3, 2, 4, 6, 3, 6, 9, 4, 8, 12]
func.func @carried(%a: memref<4x3xf32>, %s: memref<5x3xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 iter_args(%r = %zero) -> f32 {
      %v = affine.load %a[%i, %j] : memref<4x3xf32>
      %w = arith.addf %r, %v : f32
      %u = affine.load %s[%i, %j] : memref<5x3xf32>
      %x = arith.addf %u, %w : f32
      affine.store %x, %s[%i + 1, %j] : memref<5x3xf32>
      affine.yield %w : f32
    }
  }
  return
}
