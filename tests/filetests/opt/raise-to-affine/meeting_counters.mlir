// Counters that come towards each other: counted loops up to the middle, but for the last three.
// test: opt --raise-to-affine
// test: run-opt --entry=reversed --arg=iota[9] --arg=9
// test: run-opt --entry=reversed --arg=iota[8] --arg=8
// test: run-opt --entry=reversed --arg=iota[3] --arg=1
// test: run-opt --entry=reversed --arg=iota[3] --arg=0
// test: run-opt --entry=rows --arg=iota[3x5]
// test: run-opt --entry=turned --arg=2 --arg=11
// test: run-opt --entry=turned --arg=-8 --arg=-2147483648
// test: run-opt --entry=by_two --arg=iota[9] --arg=8
// test: run-opt --entry=of_open_index --arg=3 --arg=9
// test: run-opt --entry=up_to_equal --arg=3 --arg=9

func.func @reversed(%a: memref<?xi32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.subi %n, %one : i32
  %r:2 = scf.while (%i = %zero, %j = %last) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %j : i32
    scf.condition(%c) %i, %j : i32, i32
  } do {
  ^bb0(%i: i32, %j: i32):
    %left = arith.index_cast %i : i32 to index
    %right = arith.index_cast %j : i32 to index
    %x = memref.load %a[%left] : memref<?xi32>
    %y = memref.load %a[%right] : memref<?xi32>
    memref.store %y, %a[%left] : memref<?xi32>
    memref.store %x, %a[%right] : memref<?xi32>
    %k = arith.addi %i, %one : i32
    %l = arith.subi %j, %one : i32
    scf.yield %k, %l : i32, i32
  }
  return
}

// Indices, in each row.
func.func @rows(%a: memref<3x5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  affine.for %r = 0 to 3 {
    %s:2 = scf.while (%i = %c0, %j = %c4) : (index, index) -> (index, index) {
      %c = arith.cmpi sgt, %j, %i : index
      scf.condition(%c) %i, %j : index, index
    } do {
    ^bb0(%i: index, %j: index):
      %x = memref.load %a[%r, %i] : memref<3x5xi32>
      %y = memref.load %a[%r, %j] : memref<3x5xi32>
      memref.store %y, %a[%r, %i] : memref<3x5xi32>
      memref.store %x, %a[%r, %j] : memref<3x5xi32>
      %k = arith.addi %i, %c1 : index
      %l = arith.subi %j, %c1 : index
      scf.yield %k, %l : index, index
    }
  }
  return
}

// Both counters are used behind the loop.
func.func @turned(%from: i32, %to: i32) -> (i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %down = arith.constant -1 : i32
  %r:3 = scf.while (%i = %from, %j = %to, %s = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
    %c = arith.cmpi slt, %i, %j : i32
    scf.condition(%c) %i, %j, %s : i32, i32, i32
  } do {
  ^bb0(%i: i32, %j: i32, %s: i32):
    %p = arith.muli %i, %j : i32
    %t = arith.addi %s, %p : i32
    %k = arith.addi %i, %one : i32
    %l = arith.addi %j, %down : i32
    scf.yield %k, %l, %t : i32, i32, i32
  }
  return %r#0, %r#1, %r#2 : i32, i32, i32
}

// A step of two may pass the other counter, and wrap around.
func.func @by_two(%a: memref<?xi32>, %last: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %r:2 = scf.while (%i = %zero, %j = %last) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %j : i32
    scf.condition(%c) %i, %j : i32, i32
  } do {
  ^bb0(%i: i32, %j: i32):
    %left = arith.index_cast %i : i32 to index
    %right = arith.index_cast %j : i32 to index
    %x = memref.load %a[%right] : memref<?xi32>
    memref.store %x, %a[%left] : memref<?xi32>
    %k = arith.addi %i, %one : i32
    %l = arith.subi %j, %two : i32
    scf.yield %k, %l : i32, i32
  }
  return
}

// The way between any two indices may wrap around.
func.func @of_open_index(%from: index, %to: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %from, %j = %to, %s = %c0) : (index, index, index) -> (index, index, index) {
    %c = arith.cmpi slt, %i, %j : index
    scf.condition(%c) %i, %j, %s : index, index, index
  } do {
  ^bb0(%i: index, %j: index, %s: index):
    %t = arith.addi %s, %j : index
    %k = arith.addi %i, %c1 : index
    %l = arith.subi %j, %c1 : index
    scf.yield %k, %l, %t : index, index, index
  }
  return %r#2 : index
}

// Counters that are equal go on, one past the other.
func.func @up_to_equal(%from: i32, %to: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:3 = scf.while (%i = %from, %j = %to, %s = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
    %c = arith.cmpi sle, %i, %j : i32
    scf.condition(%c) %i, %j, %s : i32, i32, i32
  } do {
  ^bb0(%i: i32, %j: i32, %s: i32):
    %t = arith.addi %s, %j : i32
    %k = arith.addi %i, %one : i32
    %l = arith.subi %j, %one : i32
    scf.yield %k, %l, %t : i32, i32, i32
  }
  return %r#2 : i32
}
