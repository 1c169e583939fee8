// test: error run --device=cpu
// error: 8:3: the stride of a transfer belongs to the slower memory, and it is not known which that is
func.func @f(%a: memref<4x4xi32, "hbm">) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<4xi32, "vmem">
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[0, 0], %b[0], %tag[0], %c4, %c4, %c2 : memref<4x4xi32, "hbm">, memref<4xi32, "vmem">, memref<1xi32>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  return
}
