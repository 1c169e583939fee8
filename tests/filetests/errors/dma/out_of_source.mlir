// The last chunk leaves the source by one element.
//
// test: error run --device=cpu
// error: 11:3: the transfer reads elements outside of its source
func.func @f(%a: memref<4x4xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %fast = memref.alloc() : memref<8xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[0, 3], %fast[0], %tag[0], %c8, %c4, %c2 : memref<4x4xi32>, memref<8xi32, 1>, memref<1xi32>
  affine.dma_wait %tag[0], %c8 : memref<1xi32>
  return
}
