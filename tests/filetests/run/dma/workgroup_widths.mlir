// Elements of 1, 2, 4 and 8 bytes through workgroup memory, from an odd place to an
// odd place, with fewer and with more threads than elements, and back with a stride.
//
// test: run --arg=iota --arg=zeros --arg=iota --arg=zeros --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 4, 5, 0, 8, 9, 10, 0]
// expect: arg 3 = [0, 3, 4, 5, 0, 8, 9, 10, 0]
// expect: arg 5 = [0, 3, 4, 5, 0, 8, 9, 10, 0]
func.func @f(%a1: memref<11xi8>, %b1: memref<9xi8>, %a2: memref<11xi16>, %b2: memref<9xi16>,
             %a4: memref<11xf32>, %b4: memref<9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c2, %sz = %c1)
             workgroup(%s1 : memref<7xi8, 3>, %s2 : memref<7xi16, 3>, %s4 : memref<7xf32, 3>)
             private(%tag : memref<3xi32, 5>) {
    memref.dma_start %a1[%c3], %s1[%c1], %c6, %tag[%c0], %c5, %c3 : memref<11xi8>, memref<7xi8, 3>, memref<3xi32, 5>
    memref.dma_start %a2[%c3], %s2[%c1], %c6, %tag[%c1], %c5, %c3 : memref<11xi16>, memref<7xi16, 3>, memref<3xi32, 5>
    memref.dma_start %a4[%c3], %s4[%c1], %c6, %tag[%c2], %c5, %c3 : memref<11xf32>, memref<7xf32, 3>, memref<3xi32, 5>
    memref.dma_wait %tag[%c2], %c6 : memref<3xi32, 5>
    memref.dma_wait %tag[%c1], %c6 : memref<3xi32, 5>
    memref.dma_wait %tag[%c0], %c6 : memref<3xi32, 5>
    memref.dma_start %s1[%c1], %b1[%c1], %c6, %tag[%c0], %c4, %c3 : memref<7xi8, 3>, memref<9xi8>, memref<3xi32, 5>
    memref.dma_wait %tag[%c0], %c6 : memref<3xi32, 5>
    memref.dma_start %s2[%c1], %b2[%c1], %c6, %tag[%c0], %c4, %c3 : memref<7xi16, 3>, memref<9xi16>, memref<3xi32, 5>
    memref.dma_wait %tag[%c0], %c6 : memref<3xi32, 5>
    memref.dma_start %s4[%c1], %b4[%c1], %c6, %tag[%c0], %c4, %c3 : memref<7xf32, 3>, memref<9xf32>, memref<3xi32, 5>
    memref.dma_wait %tag[%c0], %c6 : memref<3xi32, 5>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1)
             workgroup(%s1 : memref<7xi8, 3>) private(%tag : memref<1xi32, 5>) {
    memref.dma_start %a1[%c3], %s1[%c1], %c6, %tag[%c0], %c5, %c3 : memref<11xi8>, memref<7xi8, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c0], %c6 : memref<1xi32, 5>
    memref.dma_start %s1[%c1], %b1[%c1], %c6, %tag[%c0], %c4, %c3 : memref<7xi8, 3>, memref<9xi8>, memref<1xi32, 5>
    memref.dma_wait %tag[%c0], %c6 : memref<1xi32, 5>
    gpu.terminator
  }
  return
}
