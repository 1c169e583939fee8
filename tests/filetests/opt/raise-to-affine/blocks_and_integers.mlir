// Counted loops of blocks, and loops and subscripts of 32-bit integers.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=blocks --arg=random:1[9] --arg=3
// test: run-opt --entry=integers --arg=random:1[9] --arg=3 --arg=3
// test: run-opt --entry=observed --arg=6
// test: run-opt --entry=steps --arg=random:1[9] --arg=2 --arg=7
// test: run-opt --entry=reduction --arg=random:1[9x9] --arg=6 --arg=6 --arg=1.5
func.func @blocks(%a: memref<?xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = arith.constant 1.0 : f32
  cf.br ^head(%c0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  %at = arith.index_cast %i : i32 to index
  cf.cond_br %more, ^body, ^exit
^body:
  %positive = arith.cmpi sgt, %i, %c0 : i32
  cf.cond_br %positive, ^store, ^next
^store:
  memref.store %x, %a[%at] : memref<?xf32>
  cf.br ^next
^next:
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%j : i32)
^exit:
  return
}

// Two bytes more than the counter may wrap around in 8 bits; what says nsw may not.
func.func @integers(%a: memref<?xf32>, %n: i8, %k: i8) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  scf.for %i = %c0 to %n step %c1 : i8 {
    %next = arith.addi %i, %c1 : i8
    %at = arith.index_cast %next : i8 to index
    %x = memref.load %a[%at] : memref<?xf32>
    %beyond = arith.addi %i, %c2 : i8
    %wraps = arith.index_cast %beyond : i8 to index
    memref.store %x, %a[%wraps] : memref<?xf32>
    %sum = arith.addi %i, %k overflow<nsw> : i8
    %fits = arith.index_cast %sum : i8 to index
    memref.store %x, %a[%fits] : memref<?xf32>
  }
  return
}

// The last value of the counter is the greater of both bounds.
func.func @observed(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c1) : (index) -> index {
    %more = arith.cmpi ugt, %n, %i : index
    %signed = arith.cmpi slt, %i, %n : index
    scf.condition(%signed) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %r : index
}

// Steps of more than 1: a counter that wraps around by a power of two would never end; by 3, from anywhere,
// it may, and the loop stays.
func.func @steps(%a: memref<?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 1.0 : f32
  %0 = scf.while (%i = %m) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %x, %a[%i] : memref<?xf32>
    %j = arith.addi %i, %c2 : index
    scf.yield %j : index
  }
  %1 = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %x, %a[%i] : memref<?xf32>
    %j = arith.addi %i, %c2 : index
    scf.yield %j : index
  }
  %c3 = arith.constant 3 : index
  %2 = scf.while (%i = %m) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %x, %a[%i] : memref<?xf32>
    %j = arith.addi %i, %c3 : index
    scf.yield %j : index
  }
  return
}

// A reduction carries what it has combined.
func.func @reduction(%a: memref<?x?xf32>, %n: index, %m: index, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%init) -> f32 {
    %x = memref.load %a[%i, %j] : memref<?x?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
