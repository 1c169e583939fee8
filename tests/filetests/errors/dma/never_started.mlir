// test: error run --device=cpu
// error: 9:3: no transfer was started with this tag
func.func @f(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %fast = memref.alloc() : memref<4xi32, 1>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %a[0], %fast[0], %tag[0], %c4 : memref<8xi32>, memref<4xi32, 1>, memref<2xi32>
  affine.dma_wait %tag[%c1], %c4 : memref<2xi32>
  return
}
