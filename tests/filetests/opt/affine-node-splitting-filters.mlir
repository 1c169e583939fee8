// Filters in place: a counter that is behind the loop's stores to no element that is loaded later.
// test: opt --affine-if-conversion --affine-node-splitting=min-trips=4

// test: run-opt --entry=filter --arg=iota
// expect: arg 0 = [1, 3, 5, 7, 4, 5, 6, 7]
// expect: result 0 = 4
func.func @filter(%x: memref<8xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = affine.for %i = 0 to 8 iter_args(%m = %c0) -> index {
    %v = affine.load %x[%i] : memref<8xi32>
    %low = arith.andi %v, %one : i32
    %is_odd = arith.cmpi ne, %low, %zero : i32
    %next = scf.if %is_odd -> index {
      memref.store %v, %x[%m] : memref<8xi32>
      %k = arith.addi %m, %c1 : index
      scf.yield %k : index
    } else {
      scf.yield %m : index
    }
    affine.yield %next : index
  }
  return %last : index
}

// A counter of 32 bits, and a loop in steps of two from 1 on.
// test: run-opt --entry=narrow --arg=iota --arg=5
// expect: arg 0 = [5, 7, 2, 3, 4, 5, 6, 7]
func.func @narrow(%x: memref<8xi32>, %least: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = affine.for %i = 1 to 8 step 2 iter_args(%m = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<8xi32>
    %c = arith.cmpi sge, %v, %least : i32
    %next = scf.if %c -> i32 {
      %at = arith.index_cast %m : i32 to index
      memref.store %v, %x[%at] : memref<8xi32>
      %k = arith.addi %m, %one : i32
      scf.yield %k : i32
    } else {
      scf.yield %m : i32
    }
    affine.yield %next : i32
  }
  return
}

// A counter that begins in front of what is loaded: a store may be loaded by the next iteration.
// test: run-opt --entry=ahead --arg=iota
// expect: arg 0 = [0, 0, 0, 0, 0, 0, 0, 0]
func.func @ahead(%x: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %all = arith.constant 100 : i32
  %last = affine.for %i = 0 to 7 iter_args(%m = %c1) -> index {
    %v = affine.load %x[%i] : memref<8xi32>
    %c = arith.cmpi slt, %v, %all : i32
    %next = scf.if %c -> index {
      memref.store %v, %x[%m] : memref<8xi32>
      %k = arith.addi %m, %c1 : index
      scf.yield %k : index
    } else {
      scf.yield %m : index
    }
    affine.yield %next : index
  }
  return
}
