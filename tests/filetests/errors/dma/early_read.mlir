// The element behind the transfer may be read, the last of it not.
//
// test: error run --device=cpu
// error: 13:8: this reads the destination of a transfer that has not been waited for
func.func @f(%a: memref<8xi32>) -> i32 {
  %c4 = arith.constant 4 : index
  %seven = arith.constant 7 : i32
  %fast = memref.alloc() : memref<8xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  affine.store %seven, %fast[4] : memref<8xi32, 1>
  affine.dma_start %a[0], %fast[0], %tag[0], %c4 : memref<8xi32>, memref<8xi32, 1>, memref<1xi32>
  %y = affine.load %fast[4] : memref<8xi32, 1>
  %x = affine.load %fast[3] : memref<8xi32, 1>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  return %x : i32
}
