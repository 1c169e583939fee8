// Several transfers in flight, waited for in another order than they were started
// in. What is in flight is not touched; everything else may be.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3]
func.func @f(%a: memref<12xi32>, %b: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %fast = memref.alloc() : memref<3x4xi32, 1>
  %tags = memref.alloc() : memref<3xi32>
  affine.for %i = 0 to 3 {
    affine.dma_start %a[%i * 4], %fast[%i, 0], %tags[%i], %c4 : memref<12xi32>, memref<3x4xi32, 1>, memref<3xi32>
  }
  affine.for %i = 0 to 3 {
    affine.dma_wait %tags[-%i + 2], %c4 : memref<3xi32>
    affine.for %j = 0 to 4 {
      %v = affine.load %fast[-%i + 2, %j] : memref<3x4xi32, 1>
      affine.store %v, %b[%i * 4 + %j] : memref<12xi32>
    }
  }
  memref.dealloc %tags : memref<3xi32>
  memref.dealloc %fast : memref<3x4xi32, 1>
  return
}
