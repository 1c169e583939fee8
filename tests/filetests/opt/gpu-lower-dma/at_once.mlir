// The same double-buffered loop for drivers on the CPU, where all elements move at the start: the
// iteration's one barrier is that in front of the start, outside of its condition. It orders the
// stores of the iteration before in front of what is read here, and what that has read in front of
// the stores here.
//
// test: opt --gpu-lower-dma=target=cpu --canonicalize --cse
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @guarded(%a: memref<8x64xf32>, %b: memref<16xf32>) workgroup(%s: memref<2x64xf32, 3>) private(%tag: memref<2xi32, 5>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %t = gpu.thread_id x
      affine.dma_start %a[0, 0], %s[0, 0], %tag[0], %c64 : memref<8x64xf32>, memref<2x64xf32, 3>, memref<2xi32, 5>
      %zero = arith.constant 0.0 : f32
      %sum = affine.for %k = 0 to 8 iter_args(%acc = %zero) -> (f32) {
        %more = arith.cmpi ult, %k, %c7 : index
        scf.if %more {
          affine.dma_start %a[%k + 1, 0], %s[(%k + 1) mod 2, 0], %tag[(%k + 1) mod 2], %c64 : memref<8x64xf32>, memref<2x64xf32, 3>, memref<2xi32, 5>
        }
        affine.dma_wait %tag[%k mod 2], %c64 : memref<2xi32, 5>
        %other = arith.subi %c63, %t : index
        %half = affine.apply affine_map<(d0) -> (d0 mod 2)>(%k)
        %x = memref.load %s[%half, %other] : memref<2x64xf32, 3>
        %next = arith.addf %acc, %x : f32
        affine.yield %next : f32
      }
      memref.store %sum, %b[%t] : memref<16xf32>
      gpu.return
    }
  }
}
