// Of 2700 counts by tens under the mask, 810 go to bins 7, 8 and 9 of 7.
// test: error run --device llvmpipe --arg=zeros
// error: 19:12: reached outside a buffer 810 times
func.func @masked(%h: memref<7xi32>) {
  %ten = arith.constant 10 : i32
  %end = arith.constant 2700 : i32
  %one = arith.constant 1 : i32
  %keys = memref.alloc() : memref<3000xi32>
  affine.for %i = 0 to 3000 {
    %k = arith.index_cast %i : index to i32
    affine.store %k, %keys[%i] : memref<3000xi32>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xi32>
    %c = arith.cmpi slt, %k, %end : i32
    scf.if %c {
      %r = arith.remsi %k, %ten : i32
      %b = arith.index_cast %r : i32 to index
      %x = memref.load %h[%b] : memref<7xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%b] : memref<7xi32>
    }
  }
  memref.dealloc %keys : memref<3000xi32>
  return
}
