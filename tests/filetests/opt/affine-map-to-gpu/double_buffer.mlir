// test: opt --offload=target=gpu
// remark: 13:3: this loop around one kernel runs on the host: it has 'affine.dma_start', a transfer that does not become loads and stores (docs/memory.md)

// The first tile is not the one before the loop's first, so that transfers stay where they start, and nothing shows that a tile lies
// in a row of the buffer. The loop of transfers is cut in two, by the halves of the buffer; there is one remark on both.

func.func @f(%x: memref<1024xf32>, %y: memref<1024xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %buf = memref.alloc() : memref<2x64xf32, 1>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[%c64], %buf[%c0, %c0], %tag[%c0], %n : memref<1024xf32>, memref<2x64xf32, 1>, memref<2xi32>
  affine.for %i = 0 to 16 {
    affine.if affine_set<(d0) : (-d0 + 14 >= 0)>(%i) {
      affine.dma_start %x[%i * 64 + 64], %buf[(%i + 1) mod 2, 0], %tag[(%i + 1) mod 2], %n : memref<1024xf32>, memref<2x64xf32, 1>, memref<2xi32>
    }
    affine.dma_wait %tag[%i mod 2], %n : memref<2xi32>
    affine.for %j = 0 to 64 {
      %v = affine.load %buf[%i mod 2, %j] : memref<2x64xf32, 1>
      %w = arith.addf %v, %v : f32
      affine.store %w, %y[%i * 64 + %j] : memref<1024xf32>
    }
  }
  memref.dealloc %buf : memref<2x64xf32, 1>
  memref.dealloc %tag : memref<2xi32>
  return
}
