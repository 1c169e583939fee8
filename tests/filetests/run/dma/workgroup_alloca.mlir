// Memory that the threads of a workgroup share need not be an attribution. Each
// thread reads what its neighbour has written.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [3, 2, 1, 0, 7, 6, 5, 4]
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %s = memref.alloca() : memref<4xi32, #gpu.address_space<workgroup>>
    %turned = memref.alloca() : memref<4xi32, #gpu.address_space<workgroup>>
    %tag = memref.alloca() : memref<1xi32>
    %at = arith.muli %bx, %c4 : index
    memref.dma_start %a[%at], %s[%c0], %c4, %tag[%c0] : memref<8xi32>, memref<4xi32, #gpu.address_space<workgroup>>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
    %other = arith.subi %c3, %tx : index
    %x = memref.load %s[%tx] : memref<4xi32, #gpu.address_space<workgroup>>
    memref.store %x, %turned[%other] : memref<4xi32, #gpu.address_space<workgroup>>
    memref.dma_start %turned[%c0], %b[%at], %c4, %tag[%c0] : memref<4xi32, #gpu.address_space<workgroup>>, memref<8xi32>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
    gpu.terminator
  }
  return
}
