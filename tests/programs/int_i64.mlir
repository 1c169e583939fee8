// 64-bit integers: products that need all their bits, division, shifts by more than 31.
//     out[i, 0] = a * b;  out[i, 1] = a / b;  out[i, 2] = a mod b (sign of a)
//     out[i, 3] = a >> 40;  out[i, 4] = a < b ? a : b;  out[i, 5] = a + 2^40
//     for 0 <= i < 40, with b[i] made odd first, so that it is never 0

func.func @int_i64(%a: memref<40xi64>, %b: memref<40xi64>, %out: memref<40x6xi64>) {
  %forty = arith.constant 40 : i64
  %big = arith.constant 1099511627776 : i64
  %one = arith.constant 1 : i64
  affine.for %i = 0 to 40 {
    %x = affine.load %a[%i] : memref<40xi64>
    %any = affine.load %b[%i] : memref<40xi64>
    %y = arith.ori %any, %one : i64
    %r0 = arith.muli %x, %y : i64
    affine.store %r0, %out[%i, 0] : memref<40x6xi64>
    %r1 = arith.divsi %x, %y : i64
    affine.store %r1, %out[%i, 1] : memref<40x6xi64>
    %r2 = arith.remsi %x, %y : i64
    affine.store %r2, %out[%i, 2] : memref<40x6xi64>
    %r3 = arith.shrsi %x, %forty : i64
    affine.store %r3, %out[%i, 3] : memref<40x6xi64>
    %less = arith.cmpi slt, %x, %y : i64
    %r4 = arith.select %less, %x, %y : i64
    affine.store %r4, %out[%i, 4] : memref<40x6xi64>
    %r5 = arith.addi %x, %big : i64
    affine.store %r5, %out[%i, 5] : memref<40x6xi64>
  }
  return
}
