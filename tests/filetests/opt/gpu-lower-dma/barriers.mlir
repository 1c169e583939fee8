// A start and a wait order all memory of the workgroup, not only that of transfers: the second wait
// comes between a store and a load of %t by another thread. No barrier stands in front of the first
// start, before which nothing happens, nor of the second, nor of the first wait of two that follow
// each other.
//
// test: opt --gpu-lower-dma=target=cpu --canonicalize --cse
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<16xi32>, %b: memref<16xi32>, %c: memref<16xi32>) workgroup(%s: memref<2x16xi32, 3>, %t: memref<16xi32, 3>) private(%tag: memref<2xi32, 5>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %id = gpu.thread_id x
      %other = arith.subi %c15, %id : index
      memref.dma_start %a[%c0], %s[%c0, %c0], %c16, %tag[%c0] : memref<16xi32>, memref<2x16xi32, 3>, memref<2xi32, 5>
      memref.dma_start %b[%c0], %s[%c1, %c0], %c16, %tag[%c1] : memref<16xi32>, memref<2x16xi32, 3>, memref<2xi32, 5>
      memref.dma_wait %tag[%c0], %c16 : memref<2xi32, 5>
      %x = memref.load %s[%c0, %other] : memref<2x16xi32, 3>
      memref.store %x, %t[%id] : memref<16xi32, 3>
      memref.dma_wait %tag[%c1], %c16 : memref<2xi32, 5>
      %y = memref.load %s[%c1, %other] : memref<2x16xi32, 3>
      %z = memref.load %t[%other] : memref<16xi32, 3>
      %sum = arith.addi %y, %z : i32
      memref.store %sum, %c[%id] : memref<16xi32>
      gpu.return
    }
  }
}
