// test: error run --device=cpu
// error: 6:3: source and destination of the transfer share memory
func.func @f(%a: memref<8xi32>) {
  %c4 = arith.constant 4 : index
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[0], %a[3], %tag[0], %c4 : memref<8xi32>, memref<8xi32>, memref<1xi32>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  return
}
