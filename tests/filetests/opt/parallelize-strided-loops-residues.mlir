// Iterations that depend on each other at one distance: parallel by residues, up to @loaded_twice, and the last one.
// test: opt --parallelize-strided-loops
// test: run-opt --entry=coins --arg=random:1[40] --arg=3 --arg=40
// test: run-opt --entry=coins --arg=random:1[40] --arg=1 --arg=40
// test: run-opt --entry=coins --arg=random:1[40] --arg=50 --arg=40
// test: run-opt --entry=coins --arg=random:1[40] --arg=0 --arg=40
// test: run-opt --entry=backwards --arg=random:2[40] --arg=7 --arg=29
// test: run-opt --entry=narrow --arg=iota[60] --arg=7 --arg=40
// test: run-opt --entry=narrow --arg=iota[60] --arg=0 --arg=40
// test: run-opt --entry=loaded_twice --arg=iota[8] --arg=iota[40] --arg=5 --arg=40
// test: run-opt --entry=two_distances --arg=random:3[40] --arg=3 --arg=5 --arg=40
// test: run-opt --entry=neighbours --arg=random:4[40] --arg=3 --arg=40
// test: run-opt --entry=steps_of_two --arg=random:5[40] --arg=4 --arg=40
// test: run-opt --entry=written_distance --arg=iota[40] --arg=5 --arg=40

// ways[j] += ways[j - w]
func.func @coins(%x: memref<?xf32>, %w: index, %n: index) {
  %c1 = arith.constant 1 : index
  scf.for %j = %w to %n step %c1 {
    %at = arith.subi %j, %w : index
    %a = memref.load %x[%j] : memref<?xf32>
    %b = memref.load %x[%at] : memref<?xf32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %x[%j] : memref<?xf32>
  }
  return
}

// The distance has the other sign where the counter runs against the elements.
func.func @backwards(%x: memref<?xf32>, %w: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %j = arith.subi %n, %k : index
    %at = arith.addi %j, %w : index
    %a = memref.load %x[%j] : memref<?xf32>
    %b = memref.load %x[%at] : memref<?xf32>
    %c = arith.mulf %a, %b : f32
    memref.store %c, %x[%j] : memref<?xf32>
  }
  return
}

// Subscripts of 32 bits, and a distance of 32 bits: nothing wraps around within the limits that are tested.
func.func @narrow(%x: memref<?xi32>, %w: i32, %n: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %lower = arith.index_cast %w : i32 to index
  scf.for %j = %lower to %n step %c1 {
    %k = arith.index_cast %j : index to i32
    %back = arith.subi %k, %w : i32
    %l = arith.addi %back, %c3 : i32
    %m = arith.addi %k, %c3 : i32
    %from = arith.index_cast %l : i32 to index
    %to = arith.index_cast %m : i32 to index
    %a = memref.load %x[%from] : memref<?xi32>
    %b = memref.load %x[%to] : memref<?xi32>
    %c = arith.addi %a, %b : i32
    memref.store %c, %x[%to] : memref<?xi32>
  }
  return
}

// The distance is loaded in front of the loop, and again in it.
func.func @loaded_twice(%weights: memref<?xi32>, %x: memref<?xi32>, %i: index, %n: index) {
  %c1 = arith.constant 1 : index
  %w = memref.load %weights[%i] : memref<?xi32>
  %lower = arith.index_cast %w : i32 to index
  scf.for %j = %lower to %n step %c1 {
    %again = memref.load %weights[%i] : memref<?xi32>
    %k = arith.index_cast %j : index to i32
    %back = arith.subi %k, %again : i32
    %from = arith.index_cast %back : i32 to index
    %a = memref.load %x[%from] : memref<?xi32>
    %b = memref.load %x[%j] : memref<?xi32>
    %c = arith.addi %a, %b : i32
    memref.store %c, %x[%j] : memref<?xi32>
  }
  return
}

func.func @two_distances(%x: memref<?xf32>, %v: index, %w: index, %n: index) {
  %c1 = arith.constant 1 : index
  %lower = arith.addi %v, %w : index
  scf.for %j = %lower to %n step %c1 {
    %p = arith.subi %j, %v : index
    %q = arith.subi %j, %w : index
    %a = memref.load %x[%p] : memref<?xf32>
    %b = memref.load %x[%q] : memref<?xf32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %x[%j] : memref<?xf32>
  }
  return
}

// A recurrence has one residue only.
func.func @neighbours(%x: memref<?xf32>, %lower: index, %n: index) {
  %c1 = arith.constant 1 : index
  scf.for %j = %lower to %n step %c1 {
    %p = arith.subi %j, %c1 : index
    %a = memref.load %x[%p] : memref<?xf32>
    %b = memref.load %x[%j] : memref<?xf32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %x[%j] : memref<?xf32>
  }
  return
}

// Which iterations meet depends on the step, too.
func.func @steps_of_two(%x: memref<?xf32>, %w: index, %n: index) {
  %c2 = arith.constant 2 : index
  scf.for %j = %w to %n step %c2 {
    %at = arith.subi %j, %w : index
    %a = memref.load %x[%j] : memref<?xf32>
    %b = memref.load %x[%at] : memref<?xf32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %x[%j] : memref<?xf32>
  }
  return
}

// The loop writes what it loads the distance from.
func.func @written_distance(%x: memref<?xi32>, %i: index, %n: index) {
  %c1 = arith.constant 1 : index
  %w = memref.load %x[%i] : memref<?xi32>
  %lower = arith.index_cast %w : i32 to index
  scf.for %j = %lower to %n step %c1 {
    %again = memref.load %x[%i] : memref<?xi32>
    %k = arith.index_cast %j : index to i32
    %back = arith.subi %k, %again : i32
    %rest = arith.maxsi %back, %again : i32
    %from = arith.index_cast %again : i32 to index
    %a = memref.load %x[%from] : memref<?xi32>
    %b = arith.subi %a, %again : i32
    %c = arith.minsi %b, %rest : i32
    memref.store %c, %x[%j] : memref<?xi32>
  }
  return
}

// Rows are independent, since they store at the counter. What a number that has no form is loaded from has none either.
// test: run-opt --entry=gathered --arg=iota[9] --arg=iota[9] --arg=iota[9] --arg=zeros[8]
func.func @gathered(%row: memref<9xi32>, %column: memref<9xi32>, %x: memref<9xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c1 {
    %next = arith.addi %i, %c1 : index
    %first = memref.load %row[%i] : memref<9xi32>
    %last = memref.load %row[%next] : memref<9xi32>
    %from = arith.index_cast %first : i32 to index
    %to = arith.index_cast %last : i32 to index
    %sum = scf.for %k = %from to %to step %c1 iter_args(%s = %zero) -> (f32) {
      %c = memref.load %column[%k] : memref<9xi32>
      %at = arith.index_cast %c : i32 to index
      %v = memref.load %x[%at] : memref<9xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    memref.store %sum, %y[%i] : memref<8xf32>
  }
  return
}

// The distance was loaded before its place was written: what is loaded after that is another number.
// test: run-opt --entry=loaded_before_a_store --arg=iota[4] --arg=iota[40] --arg=40
func.func @loaded_before_a_store(%weights: memref<4xindex>, %x: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %w = memref.load %weights[%c3] : memref<4xindex>
  memref.store %c7, %weights[%c3] : memref<4xindex>
  %lower = memref.load %weights[%c3] : memref<4xindex>
  scf.for %j = %lower to %n step %c1 {
    %from = arith.subi %j, %w : index
    %a = memref.load %x[%from] : memref<?xi32>
    %b = memref.load %x[%j] : memref<?xi32>
    %c = arith.addi %a, %b : i32
    memref.store %c, %x[%j] : memref<?xi32>
  }
  return
}
