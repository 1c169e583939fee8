// The transfers of a workgroup become loops over its threads, with a barrier before
// the first start, since the store may be to what they read, and one for both waits;
// the start behind them needs none. That of a thread becomes a loop of its own, where
// threads may part.
//
// test: opt --gpu-lower-dma --canonicalize --cse
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<64x32xf32>, %i: index)
        workgroup(%s: memref<2x16xf32, #gpu.address_space<workgroup>>, %tag: memref<2xi32, #gpu.address_space<workgroup>>)
        private(%p: memref<4xf32, #gpu.address_space<private>>, %mine: memref<1xi32, #gpu.address_space<private>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %a[%c0, %t] : memref<64x32xf32>
      memref.dma_start %a[%i, %c4], %s[%c0, %c0], %c16, %tag[%c0] : memref<64x32xf32>, memref<2x16xf32, #gpu.address_space<workgroup>>, memref<2xi32, #gpu.address_space<workgroup>>
      affine.dma_start %a[symbol(%i) + 1, 0], %s[1, 0], %tag[1], %c16, %c32, %c4 : memref<64x32xf32>, memref<2x16xf32, #gpu.address_space<workgroup>>, memref<2xi32, #gpu.address_space<workgroup>>
      memref.dma_wait %tag[%c0], %c16 : memref<2xi32, #gpu.address_space<workgroup>>
      memref.dma_wait %tag[%c1], %c16 : memref<2xi32, #gpu.address_space<workgroup>>
      memref.dma_start %s[%c0, %c0], %a[%c0, %c0], %c16, %tag[%c0] : memref<2x16xf32, #gpu.address_space<workgroup>>, memref<64x32xf32>, memref<2xi32, #gpu.address_space<workgroup>>
      memref.dma_wait %tag[%c0], %c16 : memref<2xi32, #gpu.address_space<workgroup>>
      %some = arith.cmpi ult, %t, %c4 : index
      scf.if %some {
        memref.dma_start %s[%c1, %t], %p[%c0], %c4, %mine[%c0] : memref<2x16xf32, #gpu.address_space<workgroup>>, memref<4xf32, #gpu.address_space<private>>, memref<1xi32, #gpu.address_space<private>>
        memref.dma_wait %mine[%c0], %c4 : memref<1xi32, #gpu.address_space<private>>
        %x = memref.load %p[%c1] : memref<4xf32, #gpu.address_space<private>>
        memref.store %x, %a[%t, %t] : memref<64x32xf32>
      }
      gpu.return
    }
  }
}
