// test: error run --device=cpu
// error: 8:3: the tag is still in use: its last transfer has not been waited for
func.func @f(%a: memref<8xi32>) {
  %c4 = arith.constant 4 : index
  %fast = memref.alloc() : memref<8xi32, 1>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %a[0], %fast[0], %tag[0], %c4 : memref<8xi32>, memref<8xi32, 1>, memref<2xi32>
  affine.dma_start %a[4], %fast[4], %tag[0], %c4 : memref<8xi32>, memref<8xi32, 1>, memref<2xi32>
  affine.dma_wait %tag[0], %c4 : memref<2xi32>
  return
}
