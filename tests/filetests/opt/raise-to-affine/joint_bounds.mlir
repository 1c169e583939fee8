// A loop that ends at the first of several bounds ends at the least of them.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=blocks --arg=iota --arg=zeros
// expect: arg 1 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 0, 0]
// test: run-opt --entry=three_bounds --arg=zeros --arg=9 --arg=5 --arg=7
// expect: arg 0 = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
// test: run-opt --entry=three_bounds --arg=zeros --arg=3 --arg=5 --arg=-2
// expect: arg 0 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// test: run-opt --entry=down --arg=zeros --arg=2 --arg=4
// expect: arg 0 = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
// test: run-opt --entry=left_by_another_value --arg=zeros --arg=4 --arg=6
// expect: arg 0 = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]

// Blocks of 8 elements, the last one cut off, with counters of 32 bits.
func.func @blocks(%x: memref<23xi32>, %y: memref<23xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c21 = arith.constant 21 : index
  %eight = arith.constant 8 : i32
  %n = arith.constant 21 : i32
  %one = arith.constant 1 : i32
  scf.for %b = %c0 to %c21 step %c8 {
    %first = arith.index_cast %b : index to i32
    %r = scf.while (%i = %first) : (i32) -> i32 {
      %end = arith.addi %first, %eight : i32
      %p = arith.cmpi slt, %i, %end : i32
      %q = arith.cmpi slt, %i, %n : i32
      %c = arith.andi %p, %q : i1
      scf.condition(%c) %i : i32
    } do {
    ^bb0(%i: i32):
      %k = arith.index_cast %i : i32 to index
      %v = memref.load %x[%k] : memref<23xi32>
      %w = arith.addi %v, %one : i32
      memref.store %w, %y[%k] : memref<23xi32>
      %next = arith.addi %i, %one : i32
      scf.yield %next : i32
    }
  }
  return
}

// One of the comparisons has its counter on the right.
func.func @three_bounds(%y: memref<10xi32>, %l: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (index) -> index {
    %p = arith.cmpi slt, %i, %l : index
    %q = arith.cmpi sgt, %m, %i : index
    %s = arith.cmpi slt, %i, %n : index
    %c = arith.andi %p, %q : i1
    %d = arith.andi %s, %c : i1
    scf.condition(%d) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %one, %y[%i] : memref<10xi32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

func.func @down(%y: memref<10xi32>, %m: index, %n: index) {
  %c9 = arith.constant 9 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %r = scf.while (%i = %c9) : (index) -> index {
    %p = arith.cmpi sgt, %i, %m : index
    %q = arith.cmpi sgt, %i, %n : index
    %c = arith.andi %p, %q : i1
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %one, %y[%i] : memref<10xi32>
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// The second comparison is of the number behind the counter.
func.func @left_by_another_value(%y: memref<10xi32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (index) -> index {
    %j = arith.addi %i, %c1 : index
    %p = arith.cmpi slt, %i, %m : index
    %q = arith.cmpi slt, %j, %n : index
    %c = arith.andi %p, %q : i1
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %one, %y[%i] : memref<10xi32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}
