// Integers of more than 64 bits become two of 64, in signatures, branches and memory; bits above an odd width are cleared.
//
// test: opt --arith-emulate-wide-int
func.func @high_word(%x: i64, %y: i64) -> i64 {
  %a = arith.extui %x : i64 to i128
  %b = arith.extui %y : i64 to i128
  %p = arith.muli %a, %b : i128
  %word = arith.constant 64 : i128
  %h = arith.shrui %p, %word : i128
  %r = arith.trunci %h : i128 to i64
  return %r : i64
}

func.func @greater(%x: i100, %y: i100) -> i100 {
  %c = arith.cmpi sgt, %x, %y : i100
  %r = scf.if %c -> i100 {
    scf.yield %x : i100
  } else {
    %s = arith.addi %x, %y : i100
    scf.yield %s : i100
  }
  return %r : i100
}

func.func @in_memory(%m: memref<?x4xi128, strided<[8, 1]>>, %i: index) {
  %v = memref.load %m[%i, %i] : memref<?x4xi128, strided<[8, 1]>>
  affine.store %v, %m[0, 3] : memref<?x4xi128, strided<[8, 1]>>
  return
}
