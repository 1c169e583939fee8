// Transfers count parts where they move complex numbers: elements, strides and the wait double. Two
// of each four numbers from the third on come, in pairs: 2, 3 and 6, 7.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [2, 0, 3, 0, 6, 0, 7, 0]
func.func @dma(%a: memref<8xcomplex<f32>>, %out: memref<4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %fast = memref.alloc() : memref<4xcomplex<f32>, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %a[%c2], %fast[%c0], %c4, %tag[%c0], %c4, %c2
    : memref<8xcomplex<f32>>, memref<4xcomplex<f32>, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  affine.for %i = 0 to 4 {
    %z = affine.load %fast[%i] : memref<4xcomplex<f32>, 1>
    affine.store %z, %out[%i] : memref<4xcomplex<f32>>
  }
  memref.dealloc %fast : memref<4xcomplex<f32>, 1>
  memref.dealloc %tag : memref<1xi32>
  return
}
