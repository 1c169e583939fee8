// test: error run --device=cpu
// error: 9:3: this writes to the destination of a transfer that has not been waited for
func.func @f(%a: memref<8xi32>, %b: memref<4xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %other = memref.alloc() : memref<4xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[0], %other[0], %tag[0], %c4 : memref<8xi32>, memref<4xi32, 1>, memref<1xi32>
  memref.copy %b, %other : memref<4xi32, 1> to memref<4xi32, 1>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  return
}
