// Filters in place: `if (x[i] % 3 == 1) x[m++] = x[i];`. The second result is the sum of x[i] * (i % 8 + 1) afterwards,
// as a loop in Python finds it.
//
// test: run --entry=in_place --arg=iota[9001]
// expect: result 0 = 3000
// expect: result 1 = 222817500
// test: run --map-for=gpu --entry=in_place --arg=iota[9001]
// expect: result 0 = 3000
// expect: result 1 = 222817500
// test: run --entry=in_place --arg=iota[7]
// expect: result 0 = 2
// expect: result 1 = 119
// test: run --entry=in_place --arg=iota[0]
// expect: result 0 = 0
// expect: result 1 = 0
func.func @in_place(%x: memref<?xi32>) -> (index, i32) {
  %c0 = arith.constant 0 : index
  %init = arith.constant 0 : index
  %step = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %modulus = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %last = affine.for %i = 0 to %n iter_args(%m = %init) -> index {
    %v = affine.load %x[%i] : memref<?xi32>
    %r = arith.remsi %v, %modulus : i32
    %c = arith.cmpi eq, %r, %one : i32
    %next = scf.if %c -> index {
      memref.store %v, %x[%m] : memref<?xi32>
      %k = arith.addi %m, %step : index
      scf.yield %k : index
    } else {
      scf.yield %m : index
    }
    affine.yield %next : index
  }
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<?xi32>
    %low = arith.andi %i, %seven : index
    %w = arith.index_cast %low : index to i32
    %w1 = arith.addi %w, %one : i32
    %p = arith.muli %v, %w1 : i32
    %t = arith.addi %s, %p : i32
    affine.yield %t : i32
  }
  return %last, %sum : index, i32
}

// The counter starts in front of the elements that are loaded: a store may be loaded by the next iteration.
// test: run --entry=ahead --arg=iota[9001]
// expect: result 0 = 3001
// expect: result 1 = 222783000
func.func @ahead(%x: memref<?xi32>) -> (index, i32) {
  %c0 = arith.constant 0 : index
  %init = arith.constant 1 : index
  %step = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %modulus = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %last = affine.for %i = 0 to %n iter_args(%m = %init) -> index {
    %v = affine.load %x[%i] : memref<?xi32>
    %r = arith.remsi %v, %modulus : i32
    %c = arith.cmpi eq, %r, %one : i32
    %next = scf.if %c -> index {
      memref.store %v, %x[%m] : memref<?xi32>
      %k = arith.addi %m, %step : index
      scf.yield %k : index
    } else {
      scf.yield %m : index
    }
    affine.yield %next : index
  }
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<?xi32>
    %low = arith.andi %i, %seven : index
    %w = arith.index_cast %low : index to i32
    %w1 = arith.addi %w, %one : i32
    %p = arith.muli %v, %w1 : i32
    %t = arith.addi %s, %p : i32
    affine.yield %t : i32
  }
  return %last, %sum : index, i32
}

// The counter goes in steps of two, and could overtake the loop's.
// test: run --entry=steps_of_two --arg=iota[9001]
// expect: result 0 = 3600
// expect: result 1 = 201735900
func.func @steps_of_two(%x: memref<?xi32>) -> (index, i32) {
  %c0 = arith.constant 0 : index
  %init = arith.constant 0 : index
  %step = arith.constant 2 : index
  %seven = arith.constant 7 : index
  %modulus = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %last = affine.for %i = 0 to %n iter_args(%m = %init) -> index {
    %v = affine.load %x[%i] : memref<?xi32>
    %r = arith.remsi %v, %modulus : i32
    %c = arith.cmpi eq, %r, %one : i32
    %next = scf.if %c -> index {
      memref.store %v, %x[%m] : memref<?xi32>
      %k = arith.addi %m, %step : index
      scf.yield %k : index
    } else {
      scf.yield %m : index
    }
    affine.yield %next : index
  }
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<?xi32>
    %low = arith.andi %i, %seven : index
    %w = arith.index_cast %low : index to i32
    %w1 = arith.addi %w, %one : i32
    %p = arith.muli %v, %w1 : i32
    %t = arith.addi %s, %p : i32
    affine.yield %t : i32
  }
  return %last, %sum : index, i32
}
