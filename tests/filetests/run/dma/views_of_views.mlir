// A transfer from a transposed part of a part of a matrix: elements are counted as
// they lie in memory, so a stride of the matrix's own goes down a column of it.
//
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [14, 20, 26]
// expect: arg 2 = [0, 0, 0, 0, 7, 8, 0, 13, 14]
func.func @f(%a: memref<6x6xi32>, %b: memref<3xi32>, %c: memref<3x3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %part = memref.subview %a[1, 1] [4, 4] [1, 1] : memref<6x6xi32> to memref<4x4xi32, strided<[6, 1], offset: 7>>
  %turned = memref.transpose %part (i, j) -> (j, i) : memref<4x4xi32, strided<[6, 1], offset: 7>> to memref<4x4xi32, strided<[1, 6], offset: 7>>
  %inner = memref.subview %turned[1, 1] [3, 3] [1, 1] : memref<4x4xi32, strided<[1, 6], offset: 7>> to memref<3x3xi32, strided<[1, 6], offset: 14>>
  %fast = memref.alloc() : memref<3xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %inner[%c0, %c0], %fast[%c0], %c3, %tag[%c0], %c6, %c1
    : memref<3x3xi32, strided<[1, 6], offset: 14>>, memref<3xi32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c3 : memref<1xi32>
  memref.copy %fast, %b : memref<3xi32, 1> to memref<3xi32>
  %flat = memref.collapse_shape %c [[0, 1]] : memref<3x3xi32> into memref<9xi32>
  %tile = memref.alloc() : memref<2x2xi32, 1>
  memref.dma_start %part[%c0, %c0], %tile[%c0, %c0], %c4, %tag[%c0], %c6, %c2
    : memref<4x4xi32, strided<[6, 1], offset: 7>>, memref<2x2xi32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  memref.dma_start %tile[%c0, %c0], %flat[%c4], %c4, %tag[%c0], %c3, %c2
    : memref<2x2xi32, 1>, memref<9xi32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  memref.dealloc %tile : memref<2x2xi32, 1>
  memref.dealloc %fast : memref<3xi32, 1>
  memref.dealloc %tag : memref<1xi32>
  return
}
