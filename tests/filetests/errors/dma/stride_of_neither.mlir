// test: error run --device=cpu
// error: 8:3: a strided transfer between memory of one space does not say which side the stride belongs to
func.func @f(%a: memref<4x4xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<4xi32>
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[0, 0], %b[0], %tag[0], %c4, %c4, %c2 : memref<4x4xi32>, memref<4xi32>, memref<1xi32>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  return
}
