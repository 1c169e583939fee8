// Sums that are longer or shorter from row to row: the rows of a tile share what all of them add, and do
// the rest one by one, each sum in its order.
// test: run --entry=growing --arg=random:1 --arg=random:2 --arg=random:3
// test: run --entry=shrinking --arg=random:1[45x45] --arg=random:2[45x67] --arg=random:3[45x67]
// test: run --entry=shrinking --arg=random:1[1x1] --arg=random:2[1x3] --arg=random:3[1x3]
// test: run --entry=crossing --arg=random:1 --arg=random:2
// test: run --entry=from_zero --arg=random:1 --arg=zeros
// test: run --entry=two_sums --arg=random:1 --arg=random:2 --arg=zeros --arg=zeros
// test: run --entry=two_loops --arg=random:1 --arg=zeros
// test: run --entry=twice_as_fast --arg=random:1 --arg=random:2
// test: run --map-for=gpu --entry=growing --arg=random:1 --arg=random:2 --arg=random:3
// test: run --map-for=gpu --entry=shrinking --arg=random:1[45x45] --arg=random:2[45x67] --arg=random:3[45x67]
// test: run --map-for=gpu --entry=crossing --arg=random:1 --arg=random:2
// test: run --map-for=gpu --entry=two_loops --arg=random:1 --arg=zeros
func.func @growing(%a: memref<77x77xf32>, %b: memref<77x93xf32>, %c: memref<77x93xf32>) {
  affine.for %i = 0 to 77 {
    affine.for %j = 0 to 93 {
      affine.for %k = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %a[%i, %k] : memref<77x77xf32>
        %y = affine.load %b[%k, %j] : memref<77x93xf32>
        %p = arith.mulf %x, %y : f32
        %o = affine.load %c[%i, %j] : memref<77x93xf32>
        %s = arith.addf %o, %p : f32
        affine.store %s, %c[%i, %j] : memref<77x93xf32>
      }
    }
  }
  return
}

func.func @shrinking(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %c, %c0 : memref<?x?xf32>
  %m = memref.dim %c, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to %n {
        %x = affine.load %a[%k, %i] : memref<?x?xf32>
        %y = affine.load %b[%k, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %o = affine.load %c[%i, %j] : memref<?x?xf32>
        %s = arith.addf %o, %p : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Both ends move, towards each other: rows have less and less in common, then nothing.
func.func @crossing(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      affine.for %k = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (-d0 + 60)>(%i) {
        %x = affine.load %a[%i, %k] : memref<64x64xf32>
        %y = affine.load %a[%k, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y : f32
        %o = affine.load %c[%i, %j] : memref<64x64xf32>
        %s = arith.addf %o, %p : f32
        affine.store %s, %c[%i, %j] : memref<64x64xf32>
      }
    }
  }
  return
}

// What is summed does not vary with the row, but how much of it.
func.func @from_zero(%a: memref<70x88xf32>, %c: memref<70x88xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 70 {
    affine.for %j = 0 to 88 {
      %s = affine.for %k = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%acc = %zero) -> (f32) {
        %x = affine.load %a[%k, %j] : memref<70x88xf32>
        %n = arith.addf %acc, %x : f32
        affine.yield %n : f32
      }
      affine.store %s, %c[%i, %j] : memref<70x88xf32>
    }
  }
  return
}

// Two sums in one loop, one of the row and the column, one of the column.
func.func @two_sums(%a: memref<70x70xf32>, %b: memref<70x88xf32>, %c: memref<70x88xf32>, %d: memref<70x88xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 70 {
    affine.for %j = 0 to 88 {
      %s:2 = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%acc = %zero, %sum = %zero) -> (f32, f32) {
        %x = affine.load %a[%i, %k] : memref<70x70xf32>
        %y = affine.load %b[%k, %j] : memref<70x88xf32>
        %p = arith.mulf %x, %y : f32
        %n = arith.addf %acc, %p : f32
        %m = arith.addf %sum, %y : f32
        affine.yield %n, %m : f32, f32
      }
      affine.store %s#0, %c[%i, %j] : memref<70x88xf32>
      affine.store %s#1, %d[%i, %j] : memref<70x88xf32>
    }
  }
  return
}

// A loop of one length in one that is split.
func.func @two_loops(%a: memref<40x40x5xf32>, %c: memref<40x40xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %s = affine.for %k = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%acc = %zero) -> (f32) {
        %t = affine.for %l = 0 to 5 iter_args(%in = %acc) -> (f32) {
          %x = affine.load %a[%k, %j, %l] : memref<40x40x5xf32>
          %y = affine.load %a[%i, %k, %l] : memref<40x40x5xf32>
          %p = arith.mulf %x, %y : f32
          %n = arith.addf %in, %p : f32
          affine.yield %n : f32
        }
        affine.yield %t : f32
      }
      affine.store %s, %c[%i, %j] : memref<40x40xf32>
    }
  }
  return
}

// A row has two terms more than the one before.
func.func @twice_as_fast(%a: memref<150x80xf32>, %c: memref<72x80xf32>) {
  affine.for %i = 1 to 72 {
    affine.for %j = 0 to 80 {
      affine.for %k = 3 to affine_map<(d0) -> (d0 * 2)>(%i) {
        %x = affine.load %a[%k, %j] : memref<150x80xf32>
        %y = affine.load %a[%k, %i] : memref<150x80xf32>
        %p = arith.mulf %x, %y : f32
        %o = affine.load %c[%i, %j] : memref<72x80xf32>
        %s = arith.addf %o, %p : f32
        affine.store %s, %c[%i, %j] : memref<72x80xf32>
      }
    }
  }
  return
}
