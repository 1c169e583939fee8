// A loop that compares a sum of its counter counts to the bound less what is added; steps may be numbers of the run.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=windows --arg=iota[9] --arg=zeros[9] --arg=3
// test: run-opt --entry=pairs --arg=random:1[9]
// test: run-opt --entry=down --arg=random:1[9]
// test: run-opt --entry=strides --arg=zeros[20] --arg=20 --arg=7
// test: run-opt --entry=stay --arg=zeros[20] --arg=2 --arg=5

// i + m <= 9 from 0 on, in 32 bits: the first sum is m, and no later one is past the bound.
func.func @windows(%x: memref<?xf32>, %y: memref<?xf32>, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %end = scf.while (%i = %c0) : (i32) -> i32 {
    %last = arith.addi %i, %m : i32
    %go = arith.cmpi sle, %last, %c9 : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    %k = arith.index_cast %i : i32 to index
    %v = memref.load %x[%k] : memref<?xf32>
    memref.store %v, %y[%k] : memref<?xf32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  return
}

// The size is compared as an index with a sum of 32 bits.
func.func @pairs(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %end = scf.while (%i = %zero) : (i32) -> i32 {
    %right = arith.addi %i, %one : i32
    %wide = arith.index_cast %right : i32 to index
    %go = arith.cmpi slt, %wide, %n : index
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    %right = arith.addi %i, %one : i32
    %k = arith.index_cast %i : i32 to index
    %l = arith.index_cast %right : i32 to index
    %u = memref.load %x[%k] : memref<?xf32>
    %v = memref.load %x[%l] : memref<?xf32>
    memref.store %v, %x[%k] : memref<?xf32>
    memref.store %u, %x[%l] : memref<?xf32>
    %next = arith.addi %i, %two : i32
    scf.yield %next : i32
  }
  return
}

// Downwards while i - 2 >= 0; the counter after the loop is 1.
func.func @down(%x: memref<?xf32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %last = arith.constant 8 : i32
  %end = scf.while (%i = %last) : (i32) -> i32 {
    %left = arith.subi %i, %two : i32
    %go = arith.cmpi sge, %left, %zero : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    %left = arith.subi %i, %two : i32
    %k = arith.index_cast %i : i32 to index
    %l = arith.index_cast %left : i32 to index
    %u = memref.load %x[%k] : memref<?xf32>
    %v = memref.load %x[%l] : memref<?xf32>
    %w = arith.addf %u, %v : f32
    memref.store %w, %x[%k] : memref<?xf32>
    %next = arith.subi %i, %one : i32
    scf.yield %next : i32
  }
  return %end : i32
}

// A step of 1 to 15 and a bound of at most 1000, which an operation says: the last sum is small.
func.func @strides(%x: memref<?xf32>, %n: i32, %s: i32) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c14 = arith.constant 14 : i32
  %most = arith.constant 1000 : i32
  %below = arith.andi %s, %c14 : i32
  %step = arith.addi %below, %c1 : i32
  %bound = arith.minsi %n, %most : i32
  scf.while (%i = %zero) : (i32) -> i32 {
    %go = arith.cmpi slt, %i, %bound : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    %k = arith.index_cast %i : i32 to index
    memref.store %one, %x[%k] : memref<?xf32>
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// Stay: the first sum may wrap around to a small number; the step may be 0 or less; the sum of
// 64 bits may wrap around.
func.func @stay(%x: memref<?xf32>, %n: i32, %s: i32) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  scf.while (%i = %c3) : (i32) -> i32 {
    %sum = arith.addi %i, %s : i32
    %go = arith.cmpi slt, %sum, %n : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    %k = arith.index_cast %i : i32 to index
    memref.store %one, %x[%k] : memref<?xf32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  scf.while (%i = %zero) : (i32) -> i32 {
    %go = arith.cmpi slt, %i, %n : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    %k = arith.index_cast %i : i32 to index
    memref.store %one, %x[%k] : memref<?xf32>
    %next = arith.addi %i, %s : i32
    scf.yield %next : i32
  }
  %long = arith.extsi %n : i32 to i64
  %way = arith.muli %long, %long : i64
  %bound = arith.muli %way, %way : i64
  %first = arith.constant 0 : i64
  %step = arith.constant 4 : i64
  %by = arith.constant 1 : i64
  scf.while (%i = %first) : (i64) -> i64 {
    %sum = arith.addi %i, %by : i64
    %less = arith.cmpi slt, %sum, %bound : i64
    scf.condition(%less) %i : i64
  } do {
  ^bb0(%i: i64):
    %k = arith.index_cast %i : i64 to index
    %m = memref.load %x[%k] : memref<?xf32>
    %next = arith.addi %i, %step : i64
    scf.yield %next : i64
  }
  return
}
