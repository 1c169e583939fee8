// test: run --entry=edits --arg=iota --arg=iota
// expect: result 0 = [2100]
// test: run --entry=survivor
// expect: result 0 = [2]
// expect: result 1 = [2097152]

// Distance of edits between a word of 2,500 letters and one of 400, its beginning: what is missing is inserted. Nothing here is
// parallel as it stands, so long nests become kernels of one thread where drivers run them on the CPU.
func.func @edits(%a: memref<2500xi32>, %b: memref<400xi32>) -> i32 {
  %one = arith.constant 1 : i32
  %d = memref.alloc() : memref<401xi32>
  affine.for %j = 0 to 401 {
    %v = arith.index_cast %j : index to i32
    affine.store %v, %d[%j] : memref<401xi32>
  }
  affine.for %i = 0 to 2500 {
    %corner = affine.load %d[0] : memref<401xi32>
    %first = arith.addi %corner, %one : i32
    affine.store %first, %d[0] : memref<401xi32>
    %ai = affine.load %a[%i] : memref<2500xi32>
    %last = affine.for %j = 0 to 400 iter_args(%before = %corner) -> i32 {
      %bj = affine.load %b[%j] : memref<400xi32>
      %up = affine.load %d[%j + 1] : memref<401xi32>
      %left = affine.load %d[%j] : memref<401xi32>
      %differ = arith.cmpi ne, %ai, %bj : i32
      %cost = arith.extui %differ : i1 to i32
      %replaced = arith.addi %before, %cost : i32
      %deleted = arith.addi %up, %one : i32
      %inserted = arith.addi %left, %one : i32
      %least = arith.minsi %replaced, %deleted : i32
      %chosen = arith.minsi %least, %inserted : i32
      affine.store %chosen, %d[%j + 1] : memref<401xi32>
      affine.yield %up : i32
    }
  }
  %r = affine.load %d[400] : memref<401xi32>
  memref.dealloc %d : memref<401xi32>
  return %r : i32
}

// The last survivor of a circle of 2,097,153 where every second one leaves, counted from 0: twice what is above the greatest power of two. The host
// reads the results from memory that the thread leaves them in.
func.func @survivor() -> (i32, index) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %none = arith.constant 0 : index
  %r:2 = affine.for %i = 2 to 2097154 iter_args(%place = %zero, %power = %none) -> (i32, index) {
    %n = arith.index_cast %i : index to i32
    %further = arith.addi %place, %two : i32
    %next = arith.remui %further, %n : i32
    %is_first = arith.cmpi eq, %next, %zero : i32
    %seen = arith.select %is_first, %i, %power : index
    affine.yield %next, %seen : i32, index
  }
  return %r#0, %r#1 : i32, index
}
