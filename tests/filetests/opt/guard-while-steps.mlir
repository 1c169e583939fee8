// test: opt --guard-while-steps
// test: run-opt --entry=blocks --arg=iota[12] --arg=12 --arg=4
// test: run-opt --entry=blocks --arg=iota[12] --arg=11 --arg=5
// test: run-opt --entry=blocks --arg=iota[12] --arg=0 --arg=-3
// test: run-opt --entry=places --arg=iota[12] --arg=12 --arg=4 --arg=2
// test: run-opt --entry=places --arg=iota[12] --arg=-7 --arg=-1 --arg=2
// test: run-opt --entry=thirds --arg=iota[12] --arg=12
// test: run-opt --entry=last --arg=iota[12] --arg=11 --arg=3
// test: run-opt --entry=left --arg=iota[12] --arg=11 --arg=3

// The step may have any sign, and the last sum may wrap around.
func.func @blocks(%x: memref<?xf32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %end = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %p = arith.index_cast %i : i32 to index
    %a = memref.load %x[%p] : memref<?xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %x[%p] : memref<?xf32>
    %next = arith.addi %i, %m : i32
    scf.yield %next : i32
  }
  return
}

// The test stands in front of the loop around, which it does not depend on.
func.func @places(%x: memref<?xf32>, %n: index, %m: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %h step %c1 {
    %end = scf.while (%i = %j) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %a = memref.load %x[%i] : memref<?xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %x[%i] : memref<?xf32>
      %next = arith.addi %i, %m : index
      scf.yield %next : index
    }
  }
  return
}

// A constant step that is no power of two.
func.func @thirds(%x: memref<?xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %end = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %p = arith.index_cast %i : i32 to index
    %a = memref.load %x[%p] : memref<?xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %x[%p] : memref<?xf32>
    %next = arith.addi %i, %c3 : i32
    scf.yield %next : i32
  }
  return
}

// What the loop carries beside the counter is a result.
func.func @last(%x: memref<?xf32>, %n: i32, %m: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %end:2 = scf.while (%i = %c0, %s = %zero) : (i32, f32) -> (i32, f32) {
    %more = arith.cmpi sle, %i, %n : i32
    scf.condition(%more) %i, %s : i32, f32
  } do {
  ^bb0(%i: i32, %s: f32):
    %p = arith.index_cast %i : i32 to index
    %a = memref.load %x[%p] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    %next = arith.addi %i, %m : i32
    scf.yield %next, %t : i32, f32
  }
  return %end#1 : f32
}

// Left: the step changes in the loop; the last counter, which may be beyond the bound, is used behind it.
func.func @left(%x: memref<?xf32>, %n: i32, %m: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %ends:2 = scf.while (%i = %c0, %s = %m) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %p = arith.index_cast %i : i32 to index
    %a = memref.load %x[%p] : memref<?xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %x[%p] : memref<?xf32>
    %next = arith.addi %i, %s : i32
    %longer = arith.addi %s, %s : i32
    scf.yield %next, %longer : i32, i32
  }
  %end = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %p = arith.index_cast %i : i32 to index
    %a = memref.load %x[%p] : memref<?xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %x[%p] : memref<?xf32>
    %next = arith.addi %i, %m : i32
    scf.yield %next : i32
  }
  return %end : i32
}
