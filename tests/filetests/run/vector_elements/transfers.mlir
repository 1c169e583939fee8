// Transfers into slices of elements that are vectors, and out of them: past the end comes the vector
// of padding. DMA counts scalars then, in strides as well.
//
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [4, 5, 9, 9]
// expect: arg 2 = [0, 1, 4, 5]
func.func @transfers(%a: memref<3xvector<2xf32>>, %out: memref<2xvector<2xf32>>,
                     %moved: memref<2xvector<2xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %nine = arith.constant dense<9.0> : vector<2xf32>
  %v = vector.transfer_read %a[%c2], %nine : memref<3xvector<2xf32>>, vector<2x2xf32>
  vector.transfer_write %v, %out[%c0] : vector<2x2xf32>, memref<2xvector<2xf32>>
  %tag = memref.alloc() : memref<1xi32>
  %fast = memref.alloc() : memref<2xvector<2xf32>, 1>
  memref.dma_start %a[%c0], %fast[%c0], %c2, %tag[%c0], %c2, %c1
    : memref<3xvector<2xf32>>, memref<2xvector<2xf32>, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c2 : memref<1xi32>
  memref.copy %fast, %moved : memref<2xvector<2xf32>, 1> to memref<2xvector<2xf32>>
  memref.dealloc %fast : memref<2xvector<2xf32>, 1>
  memref.dealloc %tag : memref<1xi32>
  return
}
