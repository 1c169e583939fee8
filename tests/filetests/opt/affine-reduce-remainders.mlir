// test: opt --affine-reduce-remainders

// Both neighbours in a ring: dividends below twice the divisor.
// test: run-opt --entry=ring --arg=iota[5] --arg=zeros[5]
// expect: arg 1 = [5, 2, 4, 6, 3]
// test: run-opt --entry=ring --arg=iota[1] --arg=zeros[1]
// expect: arg 1 = [0]
func.func @ring(%x: memref<?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %up = arith.addi %i, %c1 : index
    %next = arith.remsi %up, %n : index
    %down = arith.subi %i, %c1 : index
    %raised = arith.addi %down, %n : index
    %before = arith.remui %raised, %n : index
    %a = memref.load %x[%next] : memref<?xi32>
    %b = memref.load %x[%before] : memref<?xi32>
    %sum = arith.addi %a, %b : i32
    affine.store %sum, %y[%i] : memref<?xi32>
  }
  return
}

// The sums of three neighbours: `i + d + n` is from n - 1 to 2 n, so that two subtractions are left.
// test: run-opt --entry=window --arg=iota[5] --arg=zeros[5]
// expect: arg 1 = [5, 3, 6, 9, 7]
// test: run-opt --entry=window --arg=iota[1] --arg=zeros[1]
// expect: arg 1 = [0]
func.func @window(%x: memref<?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %all = affine.for %d = -1 to 2 iter_args(%sum = %none) -> (i32) {
      %moved = arith.addi %i, %d : index
      %raised = arith.addi %moved, %n : index
      %place = arith.remsi %raised, %n : index
      %a = memref.load %x[%place] : memref<?xi32>
      %more = arith.addi %sum, %a : i32
      affine.yield %more : i32
    }
    affine.store %all, %y[%i] : memref<?xi32>
  }
  return
}

// A counter below the divisor is its own remainder.
// test: run-opt --entry=itself --arg=zeros[4]
// expect: arg 0 = [0, 1, 2, 3]
func.func @itself(%y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xindex>
  affine.for %i = 0 to %n {
    %rest = arith.remsi %i, %n : index
    affine.store %rest, %y[%i] : memref<?xindex>
  }
  return
}

// Left alone: a dividend that may be negative, one of any size, and a divisor that may be.
// test: run-opt --entry=unknown --arg=iota[3] --arg=zeros[3x3] --arg=2
// expect: arg 1 = [0, 0, 1, 0, 1, 1, 0, 1, 0]
func.func @unknown(%x: memref<?xi32>, %y: memref<3x?xindex>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %down = arith.subi %i, %c1 : index
    %before = arith.remsi %down, %n : index
    %positive = arith.maxsi %before, %c0 : index
    affine.store %positive, %y[0, %i] : memref<3x?xindex>
    %square = arith.muli %i, %i : index
    %far = arith.remsi %square, %n : index
    affine.store %far, %y[1, %i] : memref<3x?xindex>
    %part = arith.remsi %i, %m : index
    affine.store %part, %y[2, %i] : memref<3x?xindex>
  }
  return
}
