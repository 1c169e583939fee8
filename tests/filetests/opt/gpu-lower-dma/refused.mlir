// Transfers whose elements move at the start: the kernel does not say how many threads a workgroup
// has, the count has no bound, a thread would keep too many elements, the wait stands in a
// conditional, the elements are those of a view of bytes.
//
// test: opt --gpu-lower-dma
// remark: 16:7: the elements of this transfer move at its start: the size of its workgroup is not known
// remark: 24:7: the elements of this transfer move at its start: its number of elements has no known bound
// remark: 26:7: the elements of this transfer move at its start: each thread would keep 20 elements of it in registers, and the limit is 16
// remark: 28:7: the elements of this transfer move at its start: its wait stands in another region of control flow
// remark: 33:7: the elements of this transfer move at its start: its destination is not known to be part of a workgroup buffer of constant size with elements of the same type
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @open(%a: memref<64xf32>) workgroup(%s: memref<64xf32, 3>, %tag: memref<1xi32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      memref.dma_start %a[%c0], %s[%c0], %c64, %tag[%c0] : memref<64xf32>, memref<64xf32, 3>, memref<1xi32, 3>
      memref.dma_wait %tag[%c0], %c64 : memref<1xi32, 3>
      gpu.return
    }
    gpu.func @known(%a: memref<?xf32>, %n: index, %some: i1) workgroup(%s: memref<640xf32, 3>, %bytes: memref<64xi8, 3>, %tag: memref<1xi32, 3>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c609 = arith.constant 609 : index
      memref.dma_start %a[%c0], %s[%c0], %n, %tag[%c0] : memref<?xf32>, memref<640xf32, 3>, memref<1xi32, 3>
      memref.dma_wait %tag[%c0], %n : memref<1xi32, 3>
      memref.dma_start %a[%c0], %s[%c0], %c609, %tag[%c0] : memref<?xf32>, memref<640xf32, 3>, memref<1xi32, 3>
      memref.dma_wait %tag[%c0], %c609 : memref<1xi32, 3>
      memref.dma_start %a[%c0], %s[%c0], %c16, %tag[%c0] : memref<?xf32>, memref<640xf32, 3>, memref<1xi32, 3>
      scf.if %some {
        memref.dma_wait %tag[%c0], %c16 : memref<1xi32, 3>
      }
      %view = memref.view %bytes[%c0][] : memref<64xi8, 3> to memref<16xf32, 3>
      memref.dma_start %a[%c0], %view[%c0], %c16, %tag[%c0] : memref<?xf32>, memref<16xf32, 3>, memref<1xi32, 3>
      memref.dma_wait %tag[%c0], %c16 : memref<1xi32, 3>
      gpu.return
    }
  }
}
