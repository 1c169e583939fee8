// test: opt --raise-to-affine

// In steps of four, with a sum that is used behind the loop.
// test: run-opt --entry=sum --arg=10 --arg=iota
// expect: result 0 = 12
func.func @sum(%n: i32, %x: memref<10xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %r:2 = scf.while (%s = %c0, %i = %c0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %s, %i : i32, i32
  } do {
  ^bb0(%s: i32, %i: i32):
    %at = arith.index_cast %i : i32 to index
    %v = memref.load %x[%at] : memref<10xi32>
    %t = arith.addi %s, %v : i32
    %j = arith.addi %i, %c4 : i32
    scf.yield %t, %j : i32, i32
  }
  return %r#0 : i32
}

// The last counter, 12, is beyond the limit: the loop stays.
// test: run-opt --entry=last --arg=10 --arg=iota
// expect: result 0 = 12
func.func @last(%n: i32, %x: memref<10xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %r:2 = scf.while (%s = %c0, %i = %c0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %s, %i : i32, i32
  } do {
  ^bb0(%s: i32, %i: i32):
    %at = arith.index_cast %i : i32 to index
    %v = memref.load %x[%at] : memref<10xi32>
    %t = arith.addi %s, %v : i32
    %j = arith.addi %i, %c4 : i32
    scf.yield %t, %j : i32, i32
  }
  return %r#1 : i32
}
