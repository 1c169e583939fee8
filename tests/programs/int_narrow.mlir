// 8- and 16-bit integers: sums that wrap at their own width, sign- and
// zero-extension, division and shift at the narrow width.
//     bytes[i] = a[i] * 3 + b[i]  (mod 256);   halves[i] = (a[i] as signed) * (b[i] as unsigned)  (mod 65536)
//     wide[i]  = a[i] / 5 (signed, 8 bits) + (b[i] >> 3 (logical, 8 bits))     for 0 <= i < 77

func.func @int_narrow(%a: memref<77xi8>, %b: memref<77xi8>, %bytes: memref<77xi8>,
                      %halves: memref<77xi16>, %wide: memref<77xi32>) {
  %three = arith.constant 3 : i8
  %five = arith.constant 5 : i8
  affine.for %i = 0 to 77 {
    %x = affine.load %a[%i] : memref<77xi8>
    %y = affine.load %b[%i] : memref<77xi8>
    %triple = arith.muli %x, %three : i8
    %byte = arith.addi %triple, %y : i8
    affine.store %byte, %bytes[%i] : memref<77xi8>
    %xs = arith.extsi %x : i8 to i16
    %yu = arith.extui %y : i8 to i16
    %half = arith.muli %xs, %yu : i16
    affine.store %half, %halves[%i] : memref<77xi16>
    %q = arith.divsi %x, %five : i8
    %s = arith.shrui %y, %three : i8
    %q_i32 = arith.extsi %q : i8 to i32
    %s_i32 = arith.extui %s : i8 to i32
    %r = arith.addi %q_i32, %s_i32 : i32
    affine.store %r, %wide[%i] : memref<77xi32>
  }
  return
}
