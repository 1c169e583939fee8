// The seven divisions and remainders, on every sign of both operands.
//     one column of out per operation, for 0 <= i < 49, with b[i] made odd first, so that it is never 0
//     (divsi and remsi round towards zero, floordivsi down, ceildivsi up).

func.func @int_division(%a: memref<49xi32>, %b: memref<49xi32>, %out: memref<49x7xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 49 {
    %x = affine.load %a[%i] : memref<49xi32>
    %any = affine.load %b[%i] : memref<49xi32>
    %y = arith.ori %any, %one : i32
    %r0 = arith.divsi %x, %y : i32
    affine.store %r0, %out[%i, 0] : memref<49x7xi32>
    %r1 = arith.remsi %x, %y : i32
    affine.store %r1, %out[%i, 1] : memref<49x7xi32>
    %r2 = arith.floordivsi %x, %y : i32
    affine.store %r2, %out[%i, 2] : memref<49x7xi32>
    %r3 = arith.ceildivsi %x, %y : i32
    affine.store %r3, %out[%i, 3] : memref<49x7xi32>
    %r4 = arith.divui %x, %y : i32
    affine.store %r4, %out[%i, 4] : memref<49x7xi32>
    %r5 = arith.remui %x, %y : i32
    affine.store %r5, %out[%i, 5] : memref<49x7xi32>
    %r6 = arith.ceildivui %x, %y : i32
    affine.store %r6, %out[%i, 6] : memref<49x7xi32>
  }
  return
}
