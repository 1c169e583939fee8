// A float beyond the range of an integer gives its least or greatest; the constants are not folded, since
// MLIR leaves what they give open.
//
// test: run --arg=zeros --arg=zeros --arg=zeros
// test: run --arg=zeros --arg=zeros --arg=zeros --portable
// expect: arg 0 = [127, -128, 0, 127, -128, 3]
// expect: arg 1 = [-1, 0, 0, -1, 0, 3]
// expect: arg 2 = [2147483647, -2147483648, 0, 2147483647, -2147483648, 3]
func.func @f(%s8: memref<6xi8>, %u8: memref<6xi8>, %s32: memref<6xi32>) {
  %x = memref.alloc() : memref<6xf32>
  %large = arith.constant 1.0e10 : f32
  %small = arith.constant -1.0e10 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %minus = arith.constant 0xFF800000 : f32
  %three = arith.constant 3.75 : f32
  affine.store %large, %x[0] : memref<6xf32>
  affine.store %small, %x[1] : memref<6xf32>
  affine.store %nan, %x[2] : memref<6xf32>
  affine.store %infinity, %x[3] : memref<6xf32>
  affine.store %minus, %x[4] : memref<6xf32>
  affine.store %three, %x[5] : memref<6xf32>
  affine.for %i = 0 to 6 {
    %v = affine.load %x[%i] : memref<6xf32>
    %a = arith.fptosi %v : f32 to i8
    affine.store %a, %s8[%i] : memref<6xi8>
    %b = arith.fptoui %v : f32 to i8
    affine.store %b, %u8[%i] : memref<6xi8>
    %c = arith.fptosi %v : f32 to i32
    affine.store %c, %s32[%i] : memref<6xi32>
  }
  memref.dealloc %x : memref<6xf32>
  return
}
