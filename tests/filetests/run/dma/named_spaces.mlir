// Spaces that a table names; the one of the faster kind is the packed side.
//
// test: run --memory-spaces=hbm=global,vmem=workgroup --arg=iota --arg=zeros
// expect: arg 1 = [5, 6, 9, 10]
func.func @f(%a: memref<4x4xi32, "hbm">, %b: memref<4xi32, "vmem">) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[1, 1], %b[0], %tag[0], %c4, %c4, %c2 : memref<4x4xi32, "hbm">, memref<4xi32, "vmem">, memref<1xi32>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  return
}
