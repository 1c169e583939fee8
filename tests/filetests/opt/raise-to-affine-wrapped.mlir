// test: opt --raise-to-affine
// test: run-opt --entry=by_equality --arg=iota --arg=zeros
// expect: arg 1 = [17, 20, 31, 42, 53, 64, 75, 6]
// test: run-opt --entry=by_order --arg=iota --arg=zeros
// expect: arg 1 = [35, 46, 57, 60, 71, 2, 13, 24]
// test: run-opt --entry=by_limit --arg=iota --arg=zeros
// expect: arg 1 = [71, 2, 13, 24, 35, 46, 57, 60]
// test: run-opt --entry=colours --arg=iota --arg=zeros
// expect: arg 1 = [10, 1, 10, 1, 11, 0, 11, 0]
// test: run-opt --entry=left_inside --arg=iota --arg=zeros
// expect: arg 1 = [1, 2, 3, 4, 5, 0, 7, 8]
// test: run-opt --entry=left_downwards --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 12, 13, 14, 15]
// test: run-opt --entry=left_twice_around --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 2, 5, 8, 11, 14, 17]
// The expected values are those of the same loops in Python.

// The neighbours on a ring.
func.func @by_equality(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : i32
  affine.for %i = 0 to 8 {
    %is_last = arith.cmpi eq, %i, %c7 : index
    %after = arith.addi %i, %c1 : index
    %next = arith.select %is_last, %c0, %after : index
    %is_first = arith.cmpi ne, %i, %c0 : index
    %before = arith.subi %i, %c1 : index
    %previous = arith.select %is_first, %before, %c7 : index
    %u = memref.load %x[%next] : memref<8xi32>
    %v = memref.load %x[%previous] : memref<8xi32>
    %w = arith.muli %u, %c10 : i32
    %z = arith.addi %w, %v : i32
    affine.store %z, %y[%i] : memref<8xi32>
  }
  return
}

// Corrections by the size, in 32 bits.
func.func @by_order(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %c10 = arith.constant 10 : i32
  affine.for %i = 0 to 8 {
    %n = arith.index_cast %i : index to i32
    %a = arith.addi %n, %c3 : i32
    %is_beyond = arith.cmpi sge, %a, %c8 : i32
    %b = arith.subi %a, %c8 : i32
    %c = arith.select %is_beyond, %b, %a : i32
    %next = arith.index_cast %c : i32 to index
    %d = arith.subi %n, %c3 : i32
    %is_below = arith.cmpi slt, %d, %c0 : i32
    %e = arith.addi %d, %c8 : i32
    %f = arith.select %is_below, %e, %d : i32
    %previous = arith.index_cast %f : i32 to index
    %u = memref.load %x[%next] : memref<8xi32>
    %v = memref.load %x[%previous] : memref<8xi32>
    %w = arith.muli %u, %c10 : i32
    %z = arith.addi %w, %v : i32
    affine.store %z, %y[%i] : memref<8xi32>
  }
  return
}

// The same as by_equality, as C programs compare.
func.func @by_limit(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : i32
  affine.for %i = 0 to 8 {
    %is_behind = arith.cmpi sgt, %i, %c0 : index
    %before = arith.subi %i, %c1 : index
    %previous = arith.select %is_behind, %before, %c7 : index
    %is_ahead = arith.cmpi slt, %i, %c7 : index
    %after = arith.addi %i, %c1 : index
    %next = arith.select %is_ahead, %after, %c0 : index
    %u = memref.load %x[%previous] : memref<8xi32>
    %v = memref.load %x[%next] : memref<8xi32>
    %w = arith.muli %u, %c10 : i32
    %z = arith.addi %w, %v : i32
    affine.store %z, %y[%i] : memref<8xi32>
  }
  return
}

// Lowest bits of an exclusive or.
func.func @colours(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : i32
  affine.for %i = 0 to 8 {
    %a = arith.xori %i, %c3 : index
    %first = arith.andi %a, %c1 : index
    %b = arith.andi %i, %c1 : index
    %d = arith.shrui %i, %c2 : index
    %second = arith.xori %b, %d : index
    %u = memref.load %x[%first] : memref<8xi32>
    %v = memref.load %x[%second] : memref<8xi32>
    %w = arith.muli %u, %c10 : i32
    %z = arith.addi %w, %v : i32
    affine.store %z, %y[%i] : memref<8xi32>
  }
  return
}

// The number that is replaced is not at the end of the range.
func.func @left_inside(%x: memref<20xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  affine.for %i = 0 to 8 {
    %is_it = arith.cmpi eq, %i, %c5 : index
    %after = arith.addi %i, %c1 : index
    %next = arith.select %is_it, %c0, %after : index
    %v = memref.load %x[%next] : memref<20xi32>
    affine.store %v, %y[%i] : memref<8xi32>
  }
  return
}

// What is below the limit comes before the rest: that is no remainder.
func.func @left_downwards(%x: memref<20xi32>, %y: memref<8xi32>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  affine.for %i = 0 to 8 {
    %is_below = arith.cmpi slt, %i, %c4 : index
    %more = arith.addi %i, %c8 : index
    %next = arith.select %is_below, %i, %more : index
    %v = memref.load %x[%next] : memref<20xi32>
    affine.store %v, %y[%i] : memref<8xi32>
  }
  return
}

// Numbers beyond twice the size are not remainders.
func.func @left_twice_around(%x: memref<20xi32>, %y: memref<8xi32>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to 8 {
    %a = arith.muli %i, %c3 : index
    %is_beyond = arith.cmpi sge, %a, %c4 : index
    %less = arith.subi %a, %c4 : index
    %next = arith.select %is_beyond, %less, %a : index
    %v = memref.load %x[%next] : memref<20xi32>
    affine.store %v, %y[%i] : memref<8xi32>
  }
  return
}
