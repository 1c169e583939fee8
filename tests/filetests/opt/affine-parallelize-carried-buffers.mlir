// test: opt --raise-to-affine --canonicalize --affine-parallelize
// test: run-opt --entry=swap --arg=iota[7] --arg=3
// expect: result 0 = [0, 0, 0, 0, 1, 2, 6]
// test: run-opt --entry=multiply --arg=ones[2x2] --arg=iota[2] --arg=3
// expect: result 0 = [4, 4]
// test: run-opt --entry=halve --arg=ones[4]
// expect: result 0 = [0.0625, 0.0625, 0.0625, 0.0625]
// test: run-opt --entry=renew --arg=iota[4] --arg=2
// expect: result 0 = [2, 3, 4, 5]
// test: run-opt --entry=grow --arg=ones[2] --arg=2
// expect: result 0 = [3, 2, 1, 1]
// test: run-opt --entry=newer --arg=iota[4] --arg=2
// expect: result 0 = [0, 0, 0, 0]

// The buffers of a time loop have the sizes that they start with, and are never the same.
func.func @swap(%x: memref<?xf32>, %steps: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%a = %x, %b = %y)
      -> (memref<?xf32>, memref<?xf32>) {
    %d = memref.dim %a, %c0 : memref<?xf32>
    %last = arith.subi %d, %c1 : index
    scf.for %i = %c1 to %last step %c1 {
      %before = arith.subi %i, %c1 : index
      %v = memref.load %a[%before] : memref<?xf32>
      memref.store %v, %b[%i] : memref<?xf32>
    }
    scf.yield %b, %a : memref<?xf32>, memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// The matrix is none of the vectors, of which one is an argument, too.
func.func @multiply(%matrix: memref<?x?xf32>, %vector: memref<?xf32>, %steps: index)
    -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m:2 = memref.distinct_objects %matrix, %vector : memref<?x?xf32>, memref<?xf32>
  %n = memref.dim %m#0, %c0 : memref<?x?xf32>
  %other = memref.alloc(%n) : memref<?xf32>
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%a = %m#1, %b = %other)
      -> (memref<?xf32>, memref<?xf32>) {
    scf.for %i = %c0 to %n step %c1 {
      %s = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
        %x = memref.load %m#0[%i, %j] : memref<?x?xf32>
        %y = memref.load %a[%j] : memref<?xf32>
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %sum, %p : f32
        scf.yield %q : f32
      }
      memref.store %s, %b[%i] : memref<?xf32>
    }
    scf.yield %b, %a : memref<?xf32>, memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// The buffers that an scf.while swaps.
func.func @halve(%x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %bound = arith.constant 0.1 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  %r:2 = scf.while (%a = %x, %b = %y) : (memref<?xf32>, memref<?xf32>)
      -> (memref<?xf32>, memref<?xf32>) {
    %first = memref.load %a[%c0] : memref<?xf32>
    %more = arith.cmpf ogt, %first, %bound : f32
    scf.condition(%more) %a, %b : memref<?xf32>, memref<?xf32>
  } do {
  ^bb0(%a: memref<?xf32>, %b: memref<?xf32>):
    %d = memref.dim %b, %c0 : memref<?xf32>
    scf.for %i = %c0 to %d step %c1 {
      %v = memref.load %a[%i] : memref<?xf32>
      %w = arith.mulf %v, %half : f32
      memref.store %w, %b[%i] : memref<?xf32>
    }
    scf.yield %b, %a : memref<?xf32>, memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// Each iteration allocates a buffer, which is not that of the iteration before.
func.func @renew(%x: memref<?xf32>, %steps: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%a = %x) -> (memref<?xf32>) {
    %n = memref.dim %a, %c0 : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<?xf32>
      %w = arith.addf %v, %one : f32
      memref.store %w, %b[%i] : memref<?xf32>
    }
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// The size changes: the inner loop keeps its bound.
func.func @grow(%x: memref<?xf32>, %steps: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%a = %x) -> (memref<?xf32>) {
    %n = memref.dim %a, %c0 : memref<?xf32>
    %m = arith.addi %n, %c1 : index
    %b = memref.alloc(%m) : memref<?xf32>
    memref.store %one, %b[%n] : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %b[%i] : memref<?xf32>
    }
    %first = memref.load %b[%c0] : memref<?xf32>
    %next = arith.addf %first, %one : f32
    memref.store %next, %b[%c0] : memref<?xf32>
    %is_later = arith.cmpi sgt, %t, %c0 : index
    scf.if %is_later {
      %second = memref.load %b[%c1] : memref<?xf32>
      %more = arith.addf %second, %one : f32
      memref.store %more, %b[%c1] : memref<?xf32>
    }
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// What is chosen after the allocation may be the allocation: the loop stays serial.
func.func @newer(%x: memref<?xf32>, %choice: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %zero, %b[%c0] : memref<?xf32>
  %is_new = arith.cmpi sgt, %choice, %c0 : index
  %a = arith.select %is_new, %b, %x : memref<?xf32>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %v = memref.load %a[%before] : memref<?xf32>
    memref.store %v, %b[%i] : memref<?xf32>
  }
  return %b : memref<?xf32>
}
