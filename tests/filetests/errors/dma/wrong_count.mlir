// test: error run --device=cpu
// error: 9:3: a wait for 3 elements, where the transfer has 4
func.func @f(%a: memref<8xi32>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %fast = memref.alloc() : memref<4xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[0], %fast[0], %tag[0], %c4 : memref<8xi32>, memref<4xi32, 1>, memref<1xi32>
  affine.dma_wait %tag[0], %c3 : memref<1xi32>
  return
}
