// Bounds of scf.for that are affine, and those that are not.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=bounds --arg=random:1[9x8] --arg=6 --arg=6
// test: run-opt --entry=sizes --arg=random:1[9]
// test: run-opt --entry=carried --arg=random:1[40] --arg=6
// test: run-opt --entry=stay --arg=random:1[9] --arg=iota[9] --arg=6 --arg=6
func.func @bounds(%a: memref<?x8xf32>, %n: index, %u: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %x = arith.constant 1.0 : f32
  %last = arith.subi %n, %c3 : index
  scf.for %i = %c3 to %last step %c3 {
    scf.for %j = %c0 to %i step %c1 {
      memref.store %x, %a[%i, %j] : memref<?x8xf32>
    }
  }
  // A tile: its end is the lesser of two numbers.
  scf.for %i = %c0 to %n step %c32 {
    %next = arith.addi %i, %c32 : index
    %end = arith.minsi %next, %n : index
    scf.for %j = %i to %end step %c1 {
      memref.store %x, %a[%j, %c3] : memref<?x8xf32>
    }
  }
  return
}

// Sizes of memrefs are symbols; a difference below zero means no iteration.
func.func @sizes(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %end = arith.subi %n, %c1 : index
  scf.for %i = %c1 to %end step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %a[%before] : memref<?xf32>
    memref.store %x, %a[%i] : memref<?xf32>
  }
  return
}

// What a loop hands on stays; its counter is a dimension, what it carries is none.
func.func @carried(%a: memref<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
    scf.for %j = %c0 to %k step %c1 {
      memref.store %x, %a[%j] : memref<?xf32>
    }
    %next = arith.addi %k, %i : index
    scf.yield %next : index
  }
  return %r : index
}

// Loaded bounds, a step that is not known, unsigned numbers of unknown sign.
func.func @stay(%a: memref<?xf32>, %rows: memref<?xindex>, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    %from = memref.load %rows[%i] : memref<?xindex>
    %to = memref.load %rows[%next] : memref<?xindex>
    scf.for %k = %from to %to step %c1 {
      memref.store %x, %a[%k] : memref<?xf32>
    }
  }
  scf.for unsigned %i = %c0 to %s step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  return
}
