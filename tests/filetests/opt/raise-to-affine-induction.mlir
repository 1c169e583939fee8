// Integers that loops advance by the same number in each iteration are numbers of the counters.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=nest --arg=random:1 --arg=zeros
// test: run-opt --entry=steps --arg=random:1 --arg=zeros --arg=-3 --arg=11
// test: run-opt --entry=steps --arg=random:1 --arg=zeros --arg=4 --arg=4
// test: run-opt --entry=steps --arg=random:1 --arg=zeros --arg=9 --arg=-2
// test: run-opt --entry=bytes --arg=random:1 --arg=zeros
// test: run-opt --entry=affine_bounds --arg=random:1 --arg=zeros --arg=5
// test: run-opt --entry=affine_bounds --arg=random:1 --arg=zeros --arg=0
// test: run-opt --entry=triangle --arg=random:1 --arg=zeros
// test: run-opt --entry=quotient --arg=random:1 --arg=zeros --arg=0
// test: run-opt --entry=quotient --arg=random:1 --arg=zeros --arg=3
// test: run-opt --entry=left_alone --arg=random:1 --arg=zeros
// test: run-opt --entry=far --arg=zeros

func.func @nest(%a: memref<24xf32>, %b: memref<24xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %c0) -> index {
    %q = scf.for %j = %c0 to %c6 step %c1 iter_args(%q = %p) -> index {
      %x = memref.load %a[%q] : memref<24xf32>
      memref.store %x, %b[%q] : memref<24xf32>
      %n = arith.addi %q, %c1 : index
      scf.yield %n : index
    }
    scf.yield %q : index
  }
  return %end : index
}

// Down by two, from and to any numbers; the result is used.
func.func @steps(%a: memref<64xf32>, %b: memref<64xf32>, %l: index, %u: index) -> i32 {
  %c3 = arith.constant 3 : index
  %three = arith.constant 3 : i32
  %last = arith.constant 40 : i32
  %end = scf.for %i = %l to %u step %c3 iter_args(%p = %last) -> i32 {
    %at = arith.index_cast %p : i32 to index
    %x = memref.load %a[%at] : memref<64xf32>
    memref.store %x, %b[%at] : memref<64xf32>
    %n = arith.subi %p, %three : i32
    scf.yield %n : i32
  }
  return %end : i32
}

// 100 + 8 · 7 wraps around in 8 bits.
func.func @bytes(%a: memref<256xf32>, %b: memref<256xf32>) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %seven = arith.constant 7 : i8
  %first = arith.constant 100 : i8
  %end = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %first) -> i8 {
    %signed = arith.index_cast %p : i8 to index
    %at = arith.addi %signed, %c128 : index
    %x = memref.load %a[%at] : memref<256xf32>
    memref.store %x, %b[%at] : memref<256xf32>
    %n = arith.addi %p, %seven : i8
    scf.yield %n : i8
  }
  return %end : i8
}

// Loops that are affine already, and a number of the run that is added.
func.func @affine_bounds(%a: memref<64xf32>, %b: memref<64xf32>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %end = affine.for %i = 2 to %n step 2 iter_args(%p = %c1) -> index {
    %x = memref.load %a[%p] : memref<64xf32>
    memref.store %x, %b[%p] : memref<64xf32>
    %by = arith.addi %n, %c1 : index
    %next = arith.addi %by, %p : index
    affine.yield %next : index
  }
  return %end : index
}

// The inner number advances by one, the outer one by a number that varies.
func.func @triangle(%a: memref<64xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = affine.for %i = 0 to 6 iter_args(%p = %c0) -> index {
    %q = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%q = %p) -> index {
      %x = memref.load %a[%q] : memref<64xf32>
      memref.store %x, %b[%q] : memref<64xf32>
      %n = arith.addi %q, %c1 : index
      affine.yield %n : index
    }
    affine.yield %q : index
  }
  return
}

// By a number that the iteration loads; twice what it was; floats.
func.func @left_alone(%a: memref<64xindex>, %b: memref<64xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %end:3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %c0, %q = %c1, %f = %one) -> (index, index, f32) {
    %x = memref.load %a[%i] : memref<64xindex>
    memref.store %p, %b[%i] : memref<64xindex>
    %n = arith.addi %p, %x : index
    %m = arith.addi %q, %q : index
    memref.store %m, %b[%c8] : memref<64xindex>
    %g = arith.addf %f, %one : f32
    scf.yield %n, %m, %g : index, index, f32
  }
  return %end#2 : f32
}

// The quotient is not defined for 0, where the loop does not run.
func.func @quotient(%a: memref<64xf32>, %b: memref<64xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c0) -> index {
    %x = memref.load %a[%p] : memref<64xf32>
    memref.store %x, %b[%p] : memref<64xf32>
    %by = arith.divui %c8, %n : index
    %next = arith.addi %p, %by : index
    scf.yield %next : index
  }
  return %end : index
}

// The way from the first number to the last is more than 2^63.
func.func @far(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant -9000000000000000000 : index
  %high = arith.constant 9000000000000000000 : index
  %step = arith.constant 3000000000000000000 : index
  %n = scf.for %i = %low to %high step %step iter_args(%p = %c0) -> (index) {
    %x = arith.index_cast %p : index to i32
    memref.store %x, %a[%p] : memref<8xi32>
    %q = arith.addi %p, %c1 : index
    scf.yield %q : index
  }
  return
}
