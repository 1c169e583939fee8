// test: error run --device=cpu
// error: 8:3: this frees memory of a transfer that has not been waited for
func.func @f(%a: memref<8xi32>) {
  %c4 = arith.constant 4 : index
  %fast = memref.alloc() : memref<4xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[0], %fast[0], %tag[0], %c4 : memref<8xi32>, memref<4xi32, 1>, memref<1xi32>
  memref.dealloc %fast : memref<4xi32, 1>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  return
}
