// A transfer to fast memory and one back, each complete at its wait.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 0, 5, 6, 7, 8, 0, 0]
func.func @f(%a: memref<16xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %fast = memref.alloc() : memref<2x4xi32, 1>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c5], %fast[%c1, %c0], %c4, %tag[%c0] : memref<16xi32>, memref<2x4xi32, 1>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<2xi32>
  memref.dma_start %fast[%c1, %c0], %b[%c2], %c4, %tag[%c1] : memref<2x4xi32, 1>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %tag[%c1], %c4 : memref<2xi32>
  memref.dealloc %fast : memref<2x4xi32, 1>
  memref.dealloc %tag : memref<2xi32>
  return
}
