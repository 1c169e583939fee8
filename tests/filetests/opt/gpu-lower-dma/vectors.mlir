// Vectors of four elements where each thread gets one and both sides are aligned: to workgroup memory
// with rows of 8, and back from there. Two where the first element is at an even place only, or where
// there are two for each thread; single elements at an odd place, or with chunks of 3. 64-bit elements
// go by two.
//
// test: opt --gpu-lower-dma --canonicalize --cse
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %w: memref<1024xi64>, %i: index) workgroup(%s: memref<1024xf32, 3>, %d: memref<128xi64, 3>) private(%tag: memref<8xi32, 5>) kernel attributes {known_block_size = array<i32: 8, 4, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c96 = arith.constant 96 : index
      %c128 = arith.constant 128 : index
      %c256 = arith.constant 256 : index
      %c512 = arith.constant 512 : index
      %c768 = arith.constant 768 : index
      memref.dma_start %a[%i, %c8], %s[%c0], %c128, %tag[%c0], %c64, %c8 : memref<64x64xf32>, memref<1024xf32, 3>, memref<8xi32, 5>
      memref.dma_start %a[%i, %c6], %s[%c128], %c128, %tag[%c1], %c64, %c8 : memref<64x64xf32>, memref<1024xf32, 3>, memref<8xi32, 5>
      memref.dma_start %a[%c0, %c0], %s[%c256], %c64, %tag[%c2] : memref<64x64xf32>, memref<1024xf32, 3>, memref<8xi32, 5>
      memref.dma_start %a[%c5, %c1], %s[%c512], %c64, %tag[%c3] : memref<64x64xf32>, memref<1024xf32, 3>, memref<8xi32, 5>
      memref.dma_start %a[%c8, %c0], %s[%c768], %c96, %tag[%c4], %c64, %c3 : memref<64x64xf32>, memref<1024xf32, 3>, memref<8xi32, 5>
      memref.dma_start %w[%c0], %d[%c0], %c128, %tag[%c5] : memref<1024xi64>, memref<128xi64, 3>, memref<8xi32, 5>
      memref.dma_wait %tag[%c0], %c128 : memref<8xi32, 5>
      memref.dma_wait %tag[%c1], %c128 : memref<8xi32, 5>
      memref.dma_wait %tag[%c2], %c64 : memref<8xi32, 5>
      memref.dma_wait %tag[%c3], %c64 : memref<8xi32, 5>
      memref.dma_wait %tag[%c4], %c96 : memref<8xi32, 5>
      memref.dma_wait %tag[%c5], %c128 : memref<8xi32, 5>
      memref.dma_start %s[%c0], %b[%c0, %c0], %c256, %tag[%c6], %c64, %c32 : memref<1024xf32, 3>, memref<64x64xf32>, memref<8xi32, 5>
      memref.dma_wait %tag[%c6], %c256 : memref<8xi32, 5>
      gpu.return
    }
  }
}
