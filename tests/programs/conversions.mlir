// Between integers and floats, between widths, and between bits and values.
//     for 0 <= i < 50:
//     ints[i, 0] = bits of x;             ints[i, 1] = x, towards zero
//     ints[i, 2] = low 8 bits of n, sign-extended;  ints[i, 3] = low 16 bits of n, zero-extended
//     ints[i, 4] = |x|, towards zero, as an unsigned number
//     floats[i, 0] = n as signed;         floats[i, 1] = n as unsigned
//     floats[i, 2] = the value whose bits are those of x with the sign flipped

func.func @conversions(%x: memref<50xf32>, %n: memref<50xi32>, %ints: memref<50x5xi32>, %floats: memref<50x3xf32>) {
  %sign = arith.constant 0x80000000 : i32
  affine.for %i = 0 to 50 {
    %xi = affine.load %x[%i] : memref<50xf32>
    %ni = affine.load %n[%i] : memref<50xi32>
    %bits = arith.bitcast %xi : f32 to i32
    affine.store %bits, %ints[%i, 0] : memref<50x5xi32>
    %towards_zero = arith.fptosi %xi : f32 to i32
    affine.store %towards_zero, %ints[%i, 1] : memref<50x5xi32>
    %byte = arith.trunci %ni : i32 to i8
    %signed = arith.extsi %byte : i8 to i32
    affine.store %signed, %ints[%i, 2] : memref<50x5xi32>
    %half = arith.trunci %ni : i32 to i16
    %unsigned = arith.extui %half : i16 to i32
    affine.store %unsigned, %ints[%i, 3] : memref<50x5xi32>
    %size = math.absf %xi : f32
    %whole = arith.fptoui %size : f32 to i32
    affine.store %whole, %ints[%i, 4] : memref<50x5xi32>
    %f0 = arith.sitofp %ni : i32 to f32
    affine.store %f0, %floats[%i, 0] : memref<50x3xf32>
    %f1 = arith.uitofp %ni : i32 to f32
    affine.store %f1, %floats[%i, 1] : memref<50x3xf32>
    %flipped = arith.xori %bits, %sign : i32
    %f2 = arith.bitcast %flipped : i32 to f32
    affine.store %f2, %floats[%i, 2] : memref<50x3xf32>
  }
  return
}
