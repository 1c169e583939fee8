// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [42, 48, 54, 114, 136, 158, 186, 224, 262, 258, 312, 366, 330, 400, 470]
// test: roundtrip
// The matrix product of 5 by 4 and 4 by 3 in one loop, whose rows and columns are parallel still.
func.func @coalesced_product(%a: memref<5x4xi32>, %b: memref<4x3xi32>, %c: memref<5x3xi32>) {
  %step = arith.constant 1 : index
  %low = arith.constant 0 : index
  %high = arith.constant 60 : index
  %four = arith.constant 4 : index
  %three = arith.constant 3 : index
  scf.for %t = %low to %high step %step {
    %k = arith.remui %t, %four : index
    %flat = arith.divui %t, %four : index
    %j = arith.remui %flat, %three : index
    %i = arith.divui %flat, %three : index
    %x = memref.load %a[%i, %k] : memref<5x4xi32>
    %y = memref.load %b[%k, %j] : memref<4x3xi32>
    %s = memref.load %c[%i, %j] : memref<5x3xi32>
    %p = arith.muli %x, %y : i32
    %r = arith.addi %s, %p : i32
    memref.store %r, %c[%i, %j] : memref<5x3xi32>
  }
  return
}
