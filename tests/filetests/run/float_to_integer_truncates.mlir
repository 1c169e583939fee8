// Floats become integers by truncation, at the ends of their ranges, where the last bit of the fraction is the unit, and
// below 1. Values worked out by hand: 0x3F7FFFFF is 1 - 2^-24, 0x4AFFFFFF is 8388607.5, 0x4B7FFFFF is 2^24 - 1,
// 0x4EFFFFFF is 2^31 - 128, 0x4F7FFFFF is 2^32 - 256, 0x00000001 is the smallest number.
// test: run --arg=zeros --arg=zeros
// test: run --arg=zeros --arg=zeros --portable
// expect: arg 0 = [0, 0, 0, 1, -1, -1, 8388607, -8388607, 16777215, 16777216, 2147483520, -2147483520, -2147483648, 2147483647]
// expect: arg 1 = [0, 0, 0, 1, 0, 0, 8388607, 0, 16777215, 16777216, 2147483520, 0, 0, -256]
func.func @f(%s: memref<14xi32>, %u: memref<14xi32>) {
  %x = memref.alloc() : memref<14xf32>
  %c0 = arith.constant 0x80000000 : f32
  %c1 = arith.constant 0x00000001 : f32
  %c2 = arith.constant 0x3F7FFFFF : f32
  %c3 = arith.constant 1.0 : f32
  %c4 = arith.constant -1.0 : f32
  %c5 = arith.constant -1.75 : f32
  %c6 = arith.constant 0x4AFFFFFF : f32
  %c7 = arith.constant 0xCAFFFFFF : f32
  %c8 = arith.constant 0x4B7FFFFF : f32
  %c9 = arith.constant 0x4B800000 : f32
  %c10 = arith.constant 0x4EFFFFFF : f32
  %c11 = arith.constant 0xCEFFFFFF : f32
  %c12 = arith.constant 0xCF000000 : f32
  %c13 = arith.constant 0x4F7FFFFF : f32
  affine.store %c0, %x[0] : memref<14xf32>
  affine.store %c1, %x[1] : memref<14xf32>
  affine.store %c2, %x[2] : memref<14xf32>
  affine.store %c3, %x[3] : memref<14xf32>
  affine.store %c4, %x[4] : memref<14xf32>
  affine.store %c5, %x[5] : memref<14xf32>
  affine.store %c6, %x[6] : memref<14xf32>
  affine.store %c7, %x[7] : memref<14xf32>
  affine.store %c8, %x[8] : memref<14xf32>
  affine.store %c9, %x[9] : memref<14xf32>
  affine.store %c10, %x[10] : memref<14xf32>
  affine.store %c11, %x[11] : memref<14xf32>
  affine.store %c12, %x[12] : memref<14xf32>
  affine.store %c13, %x[13] : memref<14xf32>
  affine.for %i = 0 to 14 {
    %v = affine.load %x[%i] : memref<14xf32>
    %a = arith.fptosi %v : f32 to i32
    affine.store %a, %s[%i] : memref<14xi32>
    %b = arith.fptoui %v : f32 to i32
    affine.store %b, %u[%i] : memref<14xi32>
  }
  memref.dealloc %x : memref<14xf32>
  return
}
