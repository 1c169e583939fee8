// test: run --arg=iota --arg=zeros --arg=zeros --arg=8
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14, 0, 0]
// expect: arg 2 = [0, 0, 0, 3, 0, 0, 6, 0, 0, 9]
// expect: result 0 = -1
// test: roundtrip
// Loops that count down: by 1 to 0 in 32 bits, by 3 to above 0, and not at all.
func.func @counts_down(%x: memref<10xi32>, %y: memref<10xi32>, %z: memref<10xi32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.subi %n, %one : i32
  %end = scf.while (%i = %last) : (i32) -> i32 {
    %go = arith.cmpi sge, %i, %zero : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    %at = arith.index_cast %i : i32 to index
    %v = memref.load %x[%at] : memref<10xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %y[%at] : memref<10xi32>
    %next = arith.subi %i, %one : i32
    scf.yield %next : i32
  }
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %back = arith.constant -3 : index
  %threes = scf.while (%i = %c9) : (index) -> index {
    %go = arith.cmpi slt, %c0, %i : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %v = memref.load %x[%i] : memref<10xi32>
    memref.store %v, %z[%i] : memref<10xi32>
    %next = arith.addi %back, %i overflow<nsw> : index
    scf.yield %next : index
  }
  %none = scf.while (%i = %c0) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c9 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %n, %z[%c0] : memref<10xi32>
    %next = arith.addi %i, %back : index
    scf.yield %next : index
  }
  return %end : i32
}
