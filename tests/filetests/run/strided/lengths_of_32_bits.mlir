// Transforms as C has them, in integers of 32 bits: what a loop doubles or halves has a range, so that subscripts are those of
// index, and steps are known to be positive. Walsh-Hadamard transforms of 0, 1, 2 … 15 by Python: in place, and
// between two arrays, which leaves its result in the order of reversed bits.
// test: run --entry=in_place --arg=iota --arg=16
// expect: arg 0 = [120, -8, -16, 0, -32, 0, 0, 0, -64, 0, 0, 0, 0, 0, 0, 0]
// test: run --entry=between --arg=iota --arg=zeros --arg=16
// expect: arg 0 = [120, -64, -32, 0, -16, 0, 0, 0, -8, 0, 0, 0, 0, 0, 0, 0]
// test: run --entry=pairs --arg=iota[7] --arg=7
// expect: arg 0 = [1, 0, 3, 2, 5, 4, 6]

func.func @in_place(%x: memref<16xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %last = scf.while (%len = %c2) : (i32) -> i32 {
    %more = arith.cmpi sle, %len, %n : i32
    scf.condition(%more) %len : i32
  } do {
  ^bb0(%len: i32):
    %end = scf.while (%k = %c0) : (i32) -> i32 {
      %more = arith.cmpi slt, %k, %n : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %all = scf.while (%j = %c0) : (i32) -> i32 {
        %half = arith.divsi %len, %c2 : i32
        %more = arith.cmpi slt, %j, %half : i32
        scf.condition(%more) %j : i32
      } do {
      ^bb0(%j: i32):
        %half = arith.divsi %len, %c2 : i32
        %first = arith.addi %k, %j : i32
        %second = arith.addi %first, %half : i32
        %p = arith.index_cast %first : i32 to index
        %q = arith.index_cast %second : i32 to index
        %a = memref.load %x[%p] : memref<16xi32>
        %b = memref.load %x[%q] : memref<16xi32>
        %s = arith.addi %a, %b : i32
        %d = arith.subi %a, %b : i32
        memref.store %s, %x[%p] : memref<16xi32>
        memref.store %d, %x[%q] : memref<16xi32>
        %next = arith.addi %j, %c1 : i32
        scf.yield %next : i32
      }
      %next = arith.addi %k, %len : i32
      scf.yield %next : i32
    }
    %twice = arith.shli %len, %c1 : i32
    scf.yield %twice : i32
  }
  return
}

// One number is halved, which bounds how often the other one is doubled.
func.func @between(%x: memref<16xi32>, %y: memref<16xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %start = arith.divsi %n, %c2 : i32
  %last:2 = scf.while (%len = %start, %stride = %c1) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi sge, %len, %c1 : i32
    scf.condition(%more) %len, %stride : i32, i32
  } do {
  ^bb0(%len: i32, %stride: i32):
    %end = scf.while (%i = %c0) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %len : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %all = scf.while (%j = %c0) : (i32) -> i32 {
        %more = arith.cmpi slt, %j, %stride : i32
        scf.condition(%more) %j : i32
      } do {
      ^bb0(%j: i32):
        %row = arith.muli %i, %stride : i32
        %first = arith.addi %row, %j : i32
        %below = arith.addi %i, %len : i32
        %other = arith.muli %below, %stride : i32
        %second = arith.addi %other, %j : i32
        %p = arith.index_cast %first : i32 to index
        %q = arith.index_cast %second : i32 to index
        %a = memref.load %x[%p] : memref<16xi32>
        %b = memref.load %x[%q] : memref<16xi32>
        %s = arith.addi %a, %b : i32
        %d = arith.subi %a, %b : i32
        %even = arith.muli %i, %c2 : i32
        %even_row = arith.muli %even, %stride : i32
        %even_place = arith.addi %even_row, %j : i32
        %odd = arith.addi %even, %c1 : i32
        %odd_row = arith.muli %odd, %stride : i32
        %odd_place = arith.addi %odd_row, %j : i32
        %u = arith.index_cast %even_place : i32 to index
        %v = arith.index_cast %odd_place : i32 to index
        memref.store %s, %y[%u] : memref<16xi32>
        memref.store %d, %y[%v] : memref<16xi32>
        %next = arith.addi %j, %c1 : i32
        scf.yield %next : i32
      }
      %next = arith.addi %i, %c1 : i32
      scf.yield %next : i32
    }
    memref.copy %y, %x : memref<16xi32> to memref<16xi32>
    %half = arith.divsi %len, %c2 : i32
    %twice = arith.muli %stride, %c2 : i32
    scf.yield %half, %twice : i32, i32
  }
  return
}

// for (i = 0; i + 1 < n; i += 2): the last of an odd number of elements stays.
func.func @pairs(%x: memref<?xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %end = scf.while (%i = %c0) : (i32) -> i32 {
    %right = arith.addi %i, %c1 : i32
    %more = arith.cmpi slt, %right, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %right = arith.addi %i, %c1 : i32
    %p = arith.index_cast %i : i32 to index
    %q = arith.index_cast %right : i32 to index
    %a = memref.load %x[%p] : memref<?xi32>
    %b = memref.load %x[%q] : memref<?xi32>
    memref.store %b, %x[%p] : memref<?xi32>
    memref.store %a, %x[%q] : memref<?xi32>
    %next = arith.addi %i, %c2 : i32
    scf.yield %next : i32
  }
  return
}

// The least of two numbers loses its upper bits before it ends the inner loop: parts overlap.
// test: run --entry=cut_off --arg=zeros[16] --arg=8 --arg=2 --arg=-65536 --arg=65536
// expect: arg 0 = [0, 0, 7, 7, 7, 7, 14, 14, 7, 7, 7, 7, 0, 0, 0, 0]
func.func @cut_off(%x: memref<?xi32>, %k: index, %s: index, %n: index, %m: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  scf.for %i = %zero to %k step %s {
    %far = arith.muli %n, %m : index
    %way = arith.addi %far, %i : index
    %least = arith.minsi %way, %s : index
    %cut = arith.index_cast %least : index to i32
    %end = arith.index_cast %cut : i32 to index
    scf.for %j = %zero to %end step %one {
      %place = arith.addi %i, %j : index
      %v = memref.load %x[%place] : memref<?xi32>
      %w = arith.addi %v, %seven : i32
      memref.store %w, %x[%place] : memref<?xi32>
    }
  }
  return
}
