// Elements of 1, 2, 4 and 8 bytes from an odd place to an odd place, in all
// directions: from slow to fast memory, between fast memories, and back.
//
// test: run --arg=iota --arg=zeros --arg=iota --arg=zeros --arg=iota --arg=zeros --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 4, 5, 0, 8, 9, 10, 0]
// expect: arg 3 = [0, 3, 4, 5, 0, 8, 9, 10, 0]
// expect: arg 5 = [0, 3, 4, 5, 0, 8, 9, 10, 0]
// expect: arg 7 = [0, 3, 4, 5, 0, 8, 9, 10, 0]
func.func @f(%a1: memref<11xi8>, %b1: memref<9xi8>, %a2: memref<11xi16>, %b2: memref<9xi16>,
             %a4: memref<11xf32>, %b4: memref<9xf32>, %a8: memref<11xi64>, %b8: memref<9xi64>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %tag = memref.alloc() : memref<4xi32>
  %x1 = memref.alloc() : memref<7xi8, 1>
  %x2 = memref.alloc() : memref<7xi16, 1>
  %x4 = memref.alloc() : memref<7xf32, 1>
  %x8 = memref.alloc() : memref<7xi64, 1>
  %y1 = memref.alloc() : memref<9xi8, 2>
  %y2 = memref.alloc() : memref<9xi16, 2>
  %y4 = memref.alloc() : memref<9xf32, 2>
  %y8 = memref.alloc() : memref<9xi64, 2>
  affine.dma_start %a1[%c3], %x1[1], %tag[0], %c6, %c5, %c3 : memref<11xi8>, memref<7xi8, 1>, memref<4xi32>
  affine.dma_start %a2[%c3], %x2[1], %tag[1], %c6, %c5, %c3 : memref<11xi16>, memref<7xi16, 1>, memref<4xi32>
  affine.dma_start %a4[%c3], %x4[1], %tag[2], %c6, %c5, %c3 : memref<11xf32>, memref<7xf32, 1>, memref<4xi32>
  affine.dma_start %a8[%c3], %x8[1], %tag[3], %c6, %c5, %c3 : memref<11xi64>, memref<7xi64, 1>, memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.dma_wait %tag[%i], %c6 : memref<4xi32>
  }
  affine.dma_start %x1[1], %y1[3], %tag[0], %c6 : memref<7xi8, 1>, memref<9xi8, 2>, memref<4xi32>
  affine.dma_start %x2[1], %y2[3], %tag[1], %c6 : memref<7xi16, 1>, memref<9xi16, 2>, memref<4xi32>
  affine.dma_start %x4[1], %y4[3], %tag[2], %c6 : memref<7xf32, 1>, memref<9xf32, 2>, memref<4xi32>
  affine.dma_start %x8[1], %y8[3], %tag[3], %c6 : memref<7xi64, 1>, memref<9xi64, 2>, memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.dma_wait %tag[%i], %c6 : memref<4xi32>
  }
  affine.dma_start %y1[3], %b1[%c1], %tag[0], %c6, %c4, %c3 : memref<9xi8, 2>, memref<9xi8>, memref<4xi32>
  affine.dma_start %y2[3], %b2[%c1], %tag[1], %c6, %c4, %c3 : memref<9xi16, 2>, memref<9xi16>, memref<4xi32>
  affine.dma_start %y4[3], %b4[%c1], %tag[2], %c6, %c4, %c3 : memref<9xf32, 2>, memref<9xf32>, memref<4xi32>
  affine.dma_start %y8[3], %b8[%c1], %tag[3], %c6, %c4, %c3 : memref<9xi64, 2>, memref<9xi64>, memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.dma_wait %tag[%i], %c6 : memref<4xi32>
  }
  return
}
