// test: opt --hoist-invariant-loads

memref.global "private" @length : memref<i32> = dense<6>

// The bound is a global, which the loop names in its test and in its body.
// test: run-opt --entry=bound_in_a_global --arg=iota
// expect: arg 0 = [0, 6, 12, 18, 24, 30, 6, 7]
func.func @bound_in_a_global(%a: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = scf.while (%i = %zero) : (i32) -> i32 {
    %g = memref.get_global @length : memref<i32>
    %n = memref.load %g[] : memref<i32>
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %x = arith.index_cast %i : i32 to index
    %old = memref.load %a[%x] : memref<8xi32>
    %h = memref.get_global @length : memref<i32>
    %m = memref.load %h[] : memref<i32>
    %wide = arith.extsi %old : i32 to i64
    %by = arith.extsi %m : i32 to i64
    %product = arith.muli %wide, %by : i64
    %new = arith.trunci %product : i64 to i32
    memref.store %new, %a[%x] : memref<8xi32>
    %next = arith.addi %i, %one : i32
    scf.yield %next : i32
  }
  return
}

// The bound of the inner loop is an element that the outer counter names: it is loaded in front of the inner loop. That of the outer loop
// is of a memref of one element, and leaves both loops with what is loaded in the body.
// test: run-opt --entry=bounds_of_rows --arg=4 --arg=iota --arg=ones
// expect: arg 2 = [0, 1, 4, 9, 1, 1]
func.func @bounds_of_rows(%rows: index, %ends: memref<4xindex>, %sums: memref<6xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %shape = memref.alloc() : memref<1xindex>
  memref.store %rows, %shape[%c0] : memref<1xindex>
  %last = scf.while (%i = %c0) : (index) -> index {
    %m = memref.load %shape[%c0] : memref<1xindex>
    %more = arith.cmpi slt, %i, %m : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %c0, %sums[%i] : memref<6xindex>
    %stop = scf.while (%k = %c0) : (index) -> index {
      %e = memref.load %ends[%i] : memref<4xindex>
      %more = arith.cmpi slt, %k, %e : index
      scf.condition(%more) %k : index
    } do {
    ^bb0(%k: index):
      %s = memref.load %sums[%i] : memref<6xindex>
      %e = memref.load %ends[%i] : memref<4xindex>
      %t = arith.addi %s, %e : index
      memref.store %t, %sums[%i] : memref<6xindex>
      %next = arith.addi %k, %c1 : index
      scf.yield %next : index
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  memref.dealloc %shape : memref<1xindex>
  return
}

// Left alone: a bound that the loop changes …
// test: run-opt --entry=changed --arg=iota --arg=ones
// expect: arg 0 = [2, 1, 2]
func.func @changed(%n: memref<3xi32>, %a: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %end = scf.while (%i = %zero) : (i32) -> i32 {
    %bound = memref.load %n[%c2] : memref<3xi32>
    %more = arith.cmpi slt, %i, %bound : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %one : i32
    memref.store %next, %n[%c0] : memref<3xi32>
    %last = memref.load %n[%c2] : memref<3xi32>
    memref.store %last, %n[%c2] : memref<3xi32>
    scf.yield %next : i32
  }
  return
}

// … an element of an array in a loop that may not run, where it may not be there …
func.func @may_not_be_there(%n: index, %ends: memref<?xi32>, %a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %ends[%c0] : memref<?xi32>
    memref.store %e, %a[%i] : memref<8xi32>
  }
  return
}

// … of memory that nothing may have written yet …
func.func @may_not_be_written(%n: index, %a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %number = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %number[%c0] : memref<1xi32>
    memref.store %e, %a[%i] : memref<8xi32>
  }
  memref.dealloc %number : memref<1xi32>
  return
}

// … and a number that the loop multiplies by its counter in 32 bits, which may wrap around.
func.func @multiplied(%n: memref<1xi32>, %a: memref<100xf32>, %x: f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %end = scf.while (%i = %zero) : (i32) -> i32 {
    %bound = memref.load %n[%c0] : memref<1xi32>
    %more = arith.cmpi slt, %i, %bound : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %bound = memref.load %n[%c0] : memref<1xi32>
    %row = arith.muli %i, %bound : i32
    %at = arith.index_cast %row : i32 to index
    memref.store %x, %a[%at] : memref<100xf32>
    %next = arith.addi %i, %one : i32
    scf.yield %next : i32
  }
  return
}

// The place of the bound is computed in the test, and again in the body: both loads use the value.
// test: run-opt --entry=place_computed_again --arg=iota --arg=2 --arg=iota
// expect: arg 2 = [3, 4, 5, 3, 4, 5, 6, 7]
func.func @place_computed_again(%ends: memref<4xi32>, %k: i32, %a: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = scf.while (%i = %zero) : (i32) -> i32 {
    %l = arith.addi %k, %one : i32
    %at = arith.index_cast %l : i32 to index
    %bound = memref.load %ends[%at] : memref<4xi32>
    %more = arith.cmpi slt, %i, %bound : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %l = arith.addi %k, %one : i32
    %at = arith.index_cast %l : i32 to index
    %bound = memref.load %ends[%at] : memref<4xi32>
    %sum = arith.addi %i, %bound : i32
    %to = arith.index_cast %i : i32 to index
    memref.store %sum, %a[%to] : memref<8xi32>
    %next = arith.addi %i, %one : i32
    scf.yield %next : i32
  }
  return
}

// Two loads of one element that the loop writes: that of the inner loop, which has no iterations, reads nothing that is written, and the other one does.
// test: run-opt --entry=inner_never_runs --arg=iota
// expect: arg 0 = [0, 0, 2, 3]
func.func @inner_never_runs(%x: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %end = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %c2 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %v = memref.load %x[%c1] : memref<4xi32>
    affine.store %v, %x[0] : memref<4xi32>
    affine.parallel (%j, %k) = (2, 0) to (5, 0) {
      %w = memref.load %x[%c1] : memref<4xi32>
      affine.store %w, %x[0] : memref<4xi32>
    }
    memref.store %zero, %x[%c1] : memref<4xi32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}
