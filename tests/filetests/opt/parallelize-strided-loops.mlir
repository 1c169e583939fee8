// test: opt --parallelize-strided-loops
// test: run-opt --entry=blocks --arg=random:1[32] --arg=8 --arg=4
// test: run-opt --entry=blocks --arg=random:1[32] --arg=4 --arg=4
// test: run-opt --entry=digits --arg=random:2[32] --arg=16 --arg=4
// test: run-opt --entry=digits --arg=random:2[32] --arg=9 --arg=3
// test: run-opt --entry=exchange --arg=random:3 --arg=4
// test: run-opt --entry=exchange --arg=random:3 --arg=0
// test: run-opt --entry=exchange --arg=random:3 --arg=5
// test: run-opt --entry=left --arg=random:4 --arg=4 --arg=2
// test: run-opt --entry=no_exchange --arg=random:4 --arg=4 --arg=2

// A block of %m elements holds all that an iteration touches, if %m is 2 * %h at least; halves of a block are
// %h apart, which the inner loop does not reach.
func.func @blocks(%x: memref<?xf32>, %m: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c28 = arith.constant 28 : index
  scf.for %k = %c0 to %c28 step %m {
    scf.for %j = %c0 to %h step %c1 {
      %p = arith.addi %k, %j : index
      %q = arith.addi %p, %h : index
      %a = memref.load %x[%p] : memref<?xf32>
      %b = memref.load %x[%q] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %x[%q] : memref<?xf32>
    }
  }
  return
}

// The quotient is 2 * %h elements apart, the remainder one.
func.func @digits(%x: memref<?xf32>, %n: index, %h: index) {
  %c2 = arith.constant 2 : index
  affine.for %i = 0 to %n {
    %q = arith.divui %i, %h : index
    %r = arith.remui %i, %h : index
    %twice = arith.muli %h, %c2 : index
    %block = arith.muli %q, %twice : index
    %at = arith.addi %block, %r : index
    %other = arith.addi %at, %h : index
    %a = memref.load %x[%at] : memref<?xf32>
    memref.store %a, %x[%other] : memref<?xf32>
  }
  return
}

// The lower one of i and i ^ j exchanges both.
func.func @exchange(%x: memref<16xf32>, %j: index) {
  affine.for %i = 0 to 16 {
    %l = arith.xori %i, %j : index
    %is_lower = arith.cmpi slt, %i, %l : index
    scf.if %is_lower {
      %a = memref.load %x[%i] : memref<16xf32>
      %b = memref.load %x[%l] : memref<16xf32>
      memref.store %b, %x[%i] : memref<16xf32>
      memref.store %a, %x[%l] : memref<16xf32>
    }
  }
  return
}

// Left: an iteration reads what the one %h behind writes; all write one element; blocks overlap by one;
// the divisor is not the same in all iterations.
func.func @left(%x: memref<16xf32>, %m: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  affine.for %i = 0 to 8 {
    %q = arith.addi %i, %h : index
    %a = memref.load %x[%i] : memref<16xf32>
    %b = memref.load %x[%q] : memref<16xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %x[%q] : memref<16xf32>
  }
  scf.for %k = %c0 to %c8 step %m {
    %a = memref.load %x[%k] : memref<16xf32>
    %b = memref.load %x[%h] : memref<16xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %x[%h] : memref<16xf32>
  }
  scf.for %k = %c0 to %c8 step %m {
    %q = arith.addi %k, %m : index
    %a = memref.load %x[%k] : memref<16xf32>
    memref.store %a, %x[%q] : memref<16xf32>
  }
  affine.for %i = 0 to 8 {
    %d = arith.addi %i, %c1 : index
    %q = arith.divui %i, %d : index
    %p = arith.muli %q, %h : index
    %a = memref.load %x[%p] : memref<16xf32>
    %s = arith.addf %a, %a : f32
    memref.store %s, %x[%p] : memref<16xf32>
  }
  return
}

// Left: without the condition, both partners exchange; with two, of different numbers, a third one may.
func.func @no_exchange(%x: memref<16xf32>, %j: index, %k: index) {
  affine.for %i = 0 to 16 {
    %l = arith.xori %i, %j : index
    %a = memref.load %x[%i] : memref<16xf32>
    %b = memref.load %x[%l] : memref<16xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %x[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 16 {
    %l = arith.xori %i, %j : index
    %is_lower = arith.cmpi slt, %i, %l : index
    scf.if %is_lower {
      %b = memref.load %x[%l] : memref<16xf32>
      memref.store %b, %x[%i] : memref<16xf32>
    }
    %o = arith.xori %i, %k : index
    %is_upper = arith.cmpi sgt, %i, %o : index
    scf.if %is_upper {
      %b = memref.load %x[%o] : memref<16xf32>
      memref.store %b, %x[%i] : memref<16xf32>
    }
  }
  return
}
