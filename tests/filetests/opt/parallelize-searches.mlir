// Loops that only search memory begin where reductions over blocks of their iterations say.
//
// test: opt --parallelize-searches=target=cpu
// test: run-opt --entry=first_match --arg=iota --arg=8190 --arg=9000
// expect: result 0 = 8190
// test: run-opt --entry=first_match --arg=iota --arg=-1 --arg=70
// expect: result 0 = 70
// test: run-opt --entry=by_a_flag --arg=iota --arg=5000 --arg=9000
// expect: result 0 = 5000
// expect: result 1 = 1
// test: run-opt --entry=without_end --arg=iota --arg=8999
// expect: result 0 = 4499
// test: run-opt --entry=left_with_a_sum --arg=iota --arg=100
// expect: result 0 = 14
// test: run-opt --entry=left_of_few --arg=iota --arg=5
// expect: result 0 = 5
// test: run-opt --entry=left_in_rows --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2]

func.func @first_match(%x: memref<9000xi32>, %key: i32, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %at = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    %goes_on = scf.if %more -> i1 {
      %v = memref.load %x[%i] : memref<9000xi32>
      %differs = arith.cmpi ne, %v, %key : i32
      scf.yield %differs : i1
    } else {
      scf.yield %no : i1
    }
    scf.condition(%goes_on) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %at : index
}

// The iteration that finds the element does not advance the counter.
func.func @by_a_flag(%x: memref<9000xi32>, %key: i32, %n: i64) -> (i64, i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %yes = arith.constant true
  %no = arith.constant false
  %r:2 = scf.while (%i = %zero, %found = %no) : (i64, i1) -> (i64, i1) {
    %more = arith.cmpi slt, %i, %n : i64
    %open = arith.xori %found, %yes : i1
    %goes_on = arith.andi %more, %open : i1
    scf.condition(%goes_on) %i, %found : i64, i1
  } do {
  ^bb0(%i: i64, %found: i1):
    %at = arith.index_cast %i : i64 to index
    %v = memref.load %x[%at] : memref<9000xi32>
    %equal = arith.cmpi eq, %v, %key : i32
    %j = arith.addi %i, %one : i64
    %k = arith.select %equal, %i, %j : i64
    scf.yield %k, %equal : i64, i1
  }
  return %r#0, %r#1 : i64, i1
}

// No bound, two numbers that advance, one of them down.
func.func @without_end(%x: memref<9000xi32>, %key: i32) -> index {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %from = arith.constant 1 : index
  %count = arith.constant 0 : index
  %r:2 = scf.while (%i = %from, %k = %count) : (index, index) -> (index, index) {
    %v = memref.load %x[%i] : memref<9000xi32>
    %differs = arith.cmpi ne, %v, %key : i32
    scf.condition(%differs) %i, %k : index, index
  } do {
  ^bb0(%i: index, %k: index):
    %j = arith.addi %i, %c2 : index
    %l = arith.subi %k, %c1 : index
    scf.yield %j, %l : index, index
  }
  %zero = arith.constant 0 : index
  %found = arith.subi %zero, %r#1 : index
  return %found : index
}

// What it adds up is no constant.
func.func @left_with_a_sum(%x: memref<9000xi32>, %limit: i32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%i = %c0, %s = %zero) : (index, i32) -> (index, i32) {
    %small = arith.cmpi slt, %s, %limit : i32
    scf.condition(%small) %i, %s : index, i32
  } do {
  ^bb0(%i: index, %s: i32):
    %v = memref.load %x[%i] : memref<9000xi32>
    %t = arith.addi %s, %v : i32
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %t : index, i32
  }
  %last = arith.subi %r#0, %c1 : index
  return %last : index
}

func.func @left_of_few(%x: memref<900xi32>, %key: i32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = scf.while (%i = %c0) : (index) -> index {
    %v = memref.load %x[%i] : memref<900xi32>
    %differs = arith.cmpi ne, %v, %key : i32
    scf.condition(%differs) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %at : index
}

func.func @left_in_rows(%x: memref<9000xi32>, %y: memref<3xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %k = 0 to 3 {
    %key = arith.index_cast %k : index to i32
    %at = scf.while (%i = %c0) : (index) -> index {
      %v = memref.load %x[%i] : memref<9000xi32>
      %differs = arith.cmpi ne, %v, %key : i32
      scf.condition(%differs) %i : index
    } do {
    ^bb0(%i: index):
      %j = arith.addi %i, %c1 : index
      scf.yield %j : index
    }
    affine.store %at, %y[%k] : memref<3xindex>
  }
  return
}
