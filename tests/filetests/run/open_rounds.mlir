// Loops of unknown length in a thread, of which several rounds become one on drivers that gather: none, fewer than a row of rounds, and
// with some behind the rows; in steps; from a start and to an end that differ between threads.
// test: run --no-specialize --entry=sums --arg=iota[5x1] --arg=zeros[5]
// expect: arg 1 = [0, 1, 2, 3, 4]
// test: run --no-specialize --entry=sums --arg=iota[5x4] --arg=zeros[5]
// expect: arg 1 = [6, 22, 38, 54, 70]
// test: run --no-specialize --entry=sums --arg=iota[5x7] --arg=zeros[5]
// expect: arg 1 = [21, 70, 119, 168, 217]
// test: run --no-specialize --entry=steps --arg=iota[3x12] --arg=zeros[3]
// expect: arg 1 = [22, 70, 118]
// test: run --no-specialize --entry=steps --arg=iota[3x20] --arg=zeros[3]
// expect: arg 1 = [70, 210, 350]
// test: run --no-specialize --entry=order --arg=ones[2x9] --arg=zeros[2]
// expect: arg 1 = [511, 511]
// test: run --no-specialize --entry=below --arg=ones[7x7] --arg=zeros[7]
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6]
// test: run --no-specialize --entry=until --arg=ones[2x9] --arg=zeros[2] --arg=9
// expect: arg 1 = [9, 9]
// test: run --no-specialize --entry=until --arg=ones[2x9] --arg=zeros[2] --arg=-9223372036854775807
// expect: arg 1 = [0, 0]

// Sums of rows.
func.func @sums(%x: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?x?xi32>
  %m = memref.dim %x, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    %sum = affine.for %k = 0 to %m iter_args(%a = %none) -> (i32) {
      %v = affine.load %x[%i, %k] : memref<?x?xi32>
      %next = arith.addi %a, %v : i32
      affine.yield %next : i32
    }
    affine.store %sum, %y[%i] : memref<?xi32>
  }
  return
}

// Sums of every third element from the second on.
func.func @steps(%x: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?x?xi32>
  %m = memref.dim %x, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    %sum = affine.for %k = 1 to %m step 3 iter_args(%a = %none) -> (i32) {
      %v = affine.load %x[%i, %k] : memref<?x?xi32>
      %next = arith.addi %a, %v : i32
      affine.yield %next : i32
    }
    affine.store %sum, %y[%i] : memref<?xi32>
  }
  return
}

// The elements as digits in base 2: what a round computes depends on the one before.
func.func @order(%x: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?x?xi32>
  %m = memref.dim %x, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    %sum = affine.for %k = 0 to %m iter_args(%a = %none) -> (i32) {
      %v = affine.load %x[%i, %k] : memref<?x?xi32>
      %twice = arith.addi %a, %a : i32
      %next = arith.addi %twice, %v : i32
      affine.yield %next : i32
    }
    affine.store %sum, %y[%i] : memref<?xi32>
  }
  return
}

// Sums of the elements below the diagonal.
func.func @below(%x: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    %sum = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%a = %none) -> (i32) {
      %v = affine.load %x[%i, %k] : memref<?x?xi32>
      %next = arith.addi %a, %v : i32
      affine.yield %next : i32
    }
    affine.store %sum, %y[%i] : memref<?xi32>
  }
  return
}

// Sums up to an end that may be any number.
func.func @until(%x: memref<?x?xi32>, %y: memref<?xi32>, %end: index) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    %sum = affine.for %k = 0 to %end iter_args(%a = %none) -> (i32) {
      %v = affine.load %x[%i, %k] : memref<?x?xi32>
      %next = arith.addi %a, %v : i32
      affine.yield %next : i32
    }
    affine.store %sum, %y[%i] : memref<?xi32>
  }
  return
}
