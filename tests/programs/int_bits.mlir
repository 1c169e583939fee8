// Shifts, bitwise operations and bit counts.
//     one column of out per operation, for 0 <= i < 64; shift amounts are b[i] mod 32

func.func @int_bits(%a: memref<64xi32>, %b: memref<64xi32>, %out: memref<64x9xi32>) {
  %mask = arith.constant 31 : i32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xi32>
    %y = affine.load %b[%i] : memref<64xi32>
    %s = arith.andi %y, %mask : i32
    %r0 = arith.shli %x, %s : i32
    affine.store %r0, %out[%i, 0] : memref<64x9xi32>
    %r1 = arith.shrsi %x, %s : i32
    affine.store %r1, %out[%i, 1] : memref<64x9xi32>
    %r2 = arith.shrui %x, %s : i32
    affine.store %r2, %out[%i, 2] : memref<64x9xi32>
    %r3 = arith.andi %x, %y : i32
    affine.store %r3, %out[%i, 3] : memref<64x9xi32>
    %r4 = arith.ori %x, %y : i32
    affine.store %r4, %out[%i, 4] : memref<64x9xi32>
    %r5 = arith.xori %x, %y : i32
    affine.store %r5, %out[%i, 5] : memref<64x9xi32>
    %r6 = math.ctpop %x : i32
    affine.store %r6, %out[%i, 6] : memref<64x9xi32>
    %r7 = math.ctlz %x : i32
    affine.store %r7, %out[%i, 7] : memref<64x9xi32>
    %r8 = math.cttz %x : i32
    affine.store %r8, %out[%i, 8] : memref<64x9xi32>
  }
  return
}
