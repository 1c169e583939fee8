// test: error run --device=cpu
// error: 7:3: the transfer writes elements outside of its destination
func.func @f(%a: memref<4x4xi32>) {
  %c8 = arith.constant 8 : index
  %fast = memref.alloc() : memref<8xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[0, 0], %fast[1], %tag[0], %c8 : memref<4x4xi32>, memref<8xi32, 1>, memref<1xi32>
  affine.dma_wait %tag[0], %c8 : memref<1xi32>
  return
}
