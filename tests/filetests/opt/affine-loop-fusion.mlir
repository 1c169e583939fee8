// test: opt --affine-loop-fusion
// test: run --entry=chain --arg=iota --arg=zeros --arg=zeros
// test: run-opt --entry=chain --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [[0, 2, 4], [6, 8, 10]]
// expect: arg 2 = [[1, 3, 5], [7, 9, 11]]
// test: run --entry=sequential --arg=iota --arg=zeros --arg=zeros
// test: run-opt --entry=sequential --arg=iota --arg=zeros --arg=zeros
// expect: arg 2 = [0, 3, 9, 19, 34, 55, 83, 0]
// test: run-opt --entry=aligned --arg=random:1 --arg=random:1
// test: run-opt --entry=outer --arg=random:1[9x8] --arg=random:1[9]
// test: run-opt --entry=siblings --arg=random:1
// test: run-opt --entry=row --arg=random:1

// Nests with the same bounds, one producing what the other consumes: one nest.
func.func @chain(%a: memref<2x3xi32>, %b: memref<2x3xi32>, %c: memref<2x3xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %x = affine.load %a[%i, %j] : memref<2x3xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %b[%i, %j] : memref<2x3xi32>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %x = affine.load %b[%i, %j] : memref<2x3xi32>
      %y = arith.addi %x, %one : i32
      affine.store %y, %c[%i, %j] : memref<2x3xi32>
    }
  }
  return
}

// A running sum over another one, one element ahead: the second loop runs one later. Neither
// loop is parallel, so that nothing is lost.
func.func @sequential(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<8xi32>) {
  affine.for %i = 1 to 8 {
    %x = affine.load %b[%i - 1] : memref<8xi32>
    %y = affine.load %a[%i] : memref<8xi32>
    %z = arith.addi %x, %y : i32
    affine.store %z, %b[%i] : memref<8xi32>
  }
  affine.for %i = 1 to 7 {
    %x = affine.load %c[%i - 1] : memref<8xi32>
    %y = affine.load %b[%i + 1] : memref<8xi32>
    %z = arith.addi %x, %y : i32
    affine.store %z, %c[%i] : memref<8xi32>
  }
  return
}

// A consumer of the next element: with a shift of one, the loop is parallel as both were.
func.func @aligned(%a: memref<16xf32>, %g: memref<16xf32>) {
  %f = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xf32>
    affine.store %x, %f[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 15 {
    %x = affine.load %f[%i + 1] : memref<16xf32>
    affine.store %x, %g[%i] : memref<16xf32>
  }
  return
}

// The outer loops agree, the inner ones do not: one outer loop. It has dynamic bounds.
func.func @outer(%a: memref<?x8xi32>, %b: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x8xi32>
  affine.for %i = 0 to %n {
    affine.store %zero, %b[%i] : memref<?xi32>
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 8 {
      %s = affine.load %b[%i] : memref<?xi32>
      %x = affine.load %a[%i, %j] : memref<?x8xi32>
      %t = arith.addi %s, %x : i32
      affine.store %t, %b[%i] : memref<?xi32>
    }
  }
  return
}

// Siblings read the same memory, past a loop that has nothing to do with them.
func.func @siblings(%a: memref<8xf32>) -> (f32, f32) {
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    affine.store %one, %d[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    %y = arith.mulf %x, %x : f32
    affine.store %y, %c[%i] : memref<8xf32>
  }
  %r = affine.load %b[3] : memref<8xf32>
  %s = affine.load %c[3] : memref<8xf32>
  return %r, %s : f32, f32
}

// A row of loops becomes one.
func.func @row(%a: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.muli %x, %x : i32
    affine.store %y, %a[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.subi %x, %x : i32
    affine.store %y, %a[%i] : memref<8xi32>
  }
  return
}
