// test: error run --device=cpu
// error: 8:3: the transfer shares memory with one that has not been waited for
func.func @f(%a: memref<8xi32>) {
  %c4 = arith.constant 4 : index
  %fast = memref.alloc() : memref<7xi32, 1>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %a[0], %fast[0], %tag[0], %c4 : memref<8xi32>, memref<7xi32, 1>, memref<2xi32>
  affine.dma_start %a[4], %fast[3], %tag[1], %c4 : memref<8xi32>, memref<7xi32, 1>, memref<2xi32>
  affine.dma_wait %tag[0], %c4 : memref<2xi32>
  affine.dma_wait %tag[1], %c4 : memref<2xi32>
  return
}
