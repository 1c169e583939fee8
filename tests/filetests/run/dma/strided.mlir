// The stride belongs to the slower memory, whichever side that is: a tile of a
// matrix is gathered, and scattered again into another matrix. The last chunk is
// shorter than the others.
//
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [6, 7, 8, 11, 12, 13, 16, 17]
// expect: arg 2 = [0, 6, 7, 8, 0, 11, 12, 13, 0, 16, 17, 0]
func.func @f(%a: memref<5x5xi32>, %packed: memref<8xi32>, %b: memref<3x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %fast = memref.alloc() : memref<8xi32, 2>
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[%c1, %c1], %fast[%c0], %tag[%c0], %c8, %c5, %c3 : memref<5x5xi32>, memref<8xi32, 2>, memref<1xi32>
  affine.dma_wait %tag[%c0], %c8 : memref<1xi32>
  memref.copy %fast, %packed : memref<8xi32, 2> to memref<8xi32>
  affine.dma_start %fast[%c0], %b[0, 1], %tag[0], %c8, %c4, %c3 : memref<8xi32, 2>, memref<3x4xi32>, memref<1xi32>
  affine.dma_wait %tag[%c0], %c8 : memref<1xi32>
  memref.dealloc %fast : memref<8xi32, 2>
  memref.dealloc %tag : memref<1xi32>
  return
}
