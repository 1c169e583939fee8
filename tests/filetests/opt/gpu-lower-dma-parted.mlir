// A transfer of the workgroup where threads may part stays, and so do its neighbours.
//
// test: opt --gpu-lower-dma
// remark: 14:9: this transfer keeps its kernel on the host: not all threads of a workgroup may reach this transfer
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<64xf32>) workgroup(%s: memref<4xf32, 3>, %tag: memref<1xi32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %some = arith.cmpi ult, %t, %c4 : index
      memref.dma_start %a[%c4], %s[%c0], %c4, %tag[%c0] : memref<64xf32>, memref<4xf32, 3>, memref<1xi32, 3>
      scf.if %some {
        memref.dma_wait %tag[%c0], %c4 : memref<1xi32, 3>
      }
      gpu.return
    }
  }
}
