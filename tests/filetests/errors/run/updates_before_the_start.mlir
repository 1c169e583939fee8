// Of 3000 keys from -1 to 6 an eighth is negative.
// test: error run --device llvmpipe --arg=zeros[1x7]
// error: 15:10: reached outside a buffer 375 times
func.func @signed(%h: memref<1x7xi32>) {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10 : index
  %one = arith.constant 1 : i32
  %keys = memref.alloc() : memref<3000xindex>
  affine.for %i = 0 to 3000 {
    %k = affine.apply affine_map<(d0) -> (d0 mod 8 - 1)>(%i)
    affine.store %k, %keys[%i] : memref<3000xindex>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xindex>
    %x = memref.load %h[%c0, %k] : memref<1x7xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%c0, %k] : memref<1x7xi32>
  }
  memref.dealloc %keys : memref<3000xindex>
  return
}
