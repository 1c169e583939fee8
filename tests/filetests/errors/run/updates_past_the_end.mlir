// Of 3000 counts by tens 900 go to bins 7, 8 and 9 of 7. Threads that have bins of their own report them as those of the array.
// test: error run --device llvmpipe --arg=zeros
// error: 16:10: reached outside a buffer 900 times
func.func @counted(%h: memref<7xi32>) {
  %keys = memref.alloc() : memref<3000xi32>
  %ten = arith.constant 10 : index
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 3000 {
    %r = arith.remui %i, %ten : index
    %k = arith.index_cast %r : index to i32
    affine.store %k, %keys[%i] : memref<3000xi32>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xi32>
    %b = arith.index_cast %k : i32 to index
    %x = memref.load %h[%b] : memref<7xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%b] : memref<7xi32>
  }
  memref.dealloc %keys : memref<3000xi32>
  return
}
