// test: error run --device=cpu
// error: 11:3: the transfer of this tag has been waited for already
func.func @f(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %fast = memref.alloc() : memref<4xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %a[%c0], %fast[%c0], %c4, %tag[%c0] : memref<8xi32>, memref<4xi32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  // Nothing was started in between.
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}
