// Reversal by two counters that come towards each other, as C has it: of a whole array whose length is an argument, and of each row.
// test: run --entry=whole --arg=iota[9] --arg=9
// expect: arg 0 = [8, 7, 6, 5, 4, 3, 2, 1, 0]
// test: run --entry=whole --arg=iota[10] --arg=8
// expect: arg 0 = [7, 6, 5, 4, 3, 2, 1, 0, 8, 9]
func.func @whole(%a: memref<?xi32>, %n: i32) {
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

// test: run --entry=rows --arg=iota
// expect: arg 0 = [4, 3, 2, 1, 0, 9, 8, 7, 6, 5, 14, 13, 12, 11, 10]
func.func @rows(%a: memref<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %r = %c0 to %c3 step %c1 {
    %s:2 = scf.while (%i = %c0, %j = %c4) : (index, index) -> (index, index) {
      %c = arith.cmpi sgt, %j, %i : index
      scf.condition(%c) %i, %j : index, index
    } do {
    ^bb0(%i: index, %j: index):
      %x = memref.load %a[%r, %i] : memref<3x5xf32>
      %y = memref.load %a[%r, %j] : memref<3x5xf32>
      memref.store %y, %a[%r, %i] : memref<3x5xf32>
      memref.store %x, %a[%r, %j] : memref<3x5xf32>
      %k = arith.addi %i, %c1 : index
      %l = arith.subi %j, %c1 : index
      scf.yield %k, %l : index, index
    }
  }
  return
}
