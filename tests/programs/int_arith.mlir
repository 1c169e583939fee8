// Integer arithmetic that wraps, comparisons of both signs, selects and minima.
//     one column of out per operation, for 0 <= i < 64

func.func @int_arith(%a: memref<64xi32>, %b: memref<64xi32>, %out: memref<64x12xi32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xi32>
    %y = affine.load %b[%i] : memref<64xi32>
    %r0 = arith.addi %x, %y : i32
    affine.store %r0, %out[%i, 0] : memref<64x12xi32>
    %r1 = arith.subi %x, %y : i32
    affine.store %r1, %out[%i, 1] : memref<64x12xi32>
    %r2 = arith.muli %x, %y : i32
    affine.store %r2, %out[%i, 2] : memref<64x12xi32>
    %r3 = arith.maxsi %x, %y : i32
    affine.store %r3, %out[%i, 3] : memref<64x12xi32>
    %r4 = arith.minsi %x, %y : i32
    affine.store %r4, %out[%i, 4] : memref<64x12xi32>
    %r5 = arith.maxui %x, %y : i32
    affine.store %r5, %out[%i, 5] : memref<64x12xi32>
    %r6 = arith.minui %x, %y : i32
    affine.store %r6, %out[%i, 6] : memref<64x12xi32>
    %lt = arith.cmpi slt, %x, %y : i32
    %below = arith.cmpi ult, %x, %y : i32
    %same = arith.cmpi eq, %lt, %below : i1
    %r7 = arith.extui %same : i1 to i32
    affine.store %r7, %out[%i, 7] : memref<64x12xi32>
    %r8 = arith.extsi %lt : i1 to i32
    affine.store %r8, %out[%i, 8] : memref<64x12xi32>
    %r9 = arith.select %below, %r1, %r0 : i32
    affine.store %r9, %out[%i, 9] : memref<64x12xi32>
    %ge = arith.cmpi sge, %x, %y : i32
    %gt = arith.cmpi ugt, %x, %y : i32
    %either = arith.xori %ge, %gt : i1
    %r10 = arith.extui %either : i1 to i32
    affine.store %r10, %out[%i, 10] : memref<64x12xi32>
    %low, %high = arith.mulsi_extended %x, %y : i32
    affine.store %high, %out[%i, 11] : memref<64x12xi32>
  }
  return
}
