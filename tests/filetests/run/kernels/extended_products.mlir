// Both halves of products of narrow integers. -100 · 7 = -700 = -3 · 256 + 68; read as unsigned,
// 156 · 7 = 1092 = 4 · 256 + 68. Of 16 bits, -300 · 300 = -90000 = -2 · 65536 + 41072, which is -24464;
// as unsigned 65236 · 300 = 19570800 = 298 · 65536 + 41072. The last squares -128 and -32768:
// 16384 = 64 · 256, 2^30 = 16384 · 65536, signs or not.
//
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [68, -3, 68, 4, 0, 64, 0, 64]
// expect: arg 1 = [-24464, -2, -24464, 298, 0, 16384, 0, 16384]
func.func @main(%bytes: memref<2x4xi8>, %halves: memref<2x4xi16>) {
  affine.parallel (%i) = (0) to (2) {
    %c1 = arith.constant 1 : index
    %is_last = arith.cmpi eq, %i, %c1 : index
    %a = arith.constant -100 : i8
    %b = arith.constant 7 : i8
    %least = arith.constant -128 : i8
    %x = arith.select %is_last, %least, %a : i8
    %y = arith.select %is_last, %least, %b : i8
    %sl, %sh = arith.mulsi_extended %x, %y : i8
    %ul, %uh = arith.mului_extended %x, %y : i8
    affine.store %sl, %bytes[%i, 0] : memref<2x4xi8>
    affine.store %sh, %bytes[%i, 1] : memref<2x4xi8>
    affine.store %ul, %bytes[%i, 2] : memref<2x4xi8>
    affine.store %uh, %bytes[%i, 3] : memref<2x4xi8>
  }
  affine.parallel (%i) = (0) to (2) {
    %c1 = arith.constant 1 : index
    %is_last = arith.cmpi eq, %i, %c1 : index
    %a = arith.constant -300 : i16
    %b = arith.constant 300 : i16
    %least = arith.constant -32768 : i16
    %x = arith.select %is_last, %least, %a : i16
    %y = arith.select %is_last, %least, %b : i16
    %sl, %sh = arith.mulsi_extended %x, %y : i16
    %ul, %uh = arith.mului_extended %x, %y : i16
    affine.store %sl, %halves[%i, 0] : memref<2x4xi16>
    affine.store %sh, %halves[%i, 1] : memref<2x4xi16>
    affine.store %ul, %halves[%i, 2] : memref<2x4xi16>
    affine.store %uh, %halves[%i, 3] : memref<2x4xi16>
  }
  return
}
