// What mlir-opt makes of a tiled matrix product in six loops, with
//   --pass-pipeline="builtin.module(func.func(affine-data-copy-generate{generate-dma=true fast-mem-space=2 fast-mem-capacity=1}))",
// fast memory of 1 KiB, so that tiles go there and back inside of the loops over them.
//
// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [1120, 1148, 1176, 1204, 1232, 1260, 1288, 1316, 2912, 3004, 3096, 3188, 3280, 3372, 3464, 3556, 4704, 4860, 5016, 5172, 5328, 5484, 5640, 5796, 6496, 6716, 6936, 7156, 7376, 7596, 7816, 8036, 8288, 8572, 8856, 9140, 9424, 9708, 9992, 10276, 10080, 10428, 10776, 11124, 11472, 11820, 12168, 12516, 11872, 12284, 12696, 13108, 13520, 13932, 14344, 14756, 13664, 14140, 14616, 15092, 15568, 16044, 16520, 16996]
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @matmul(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32>, %arg2: memref<8x8xf32>) {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c64_0 = arith.constant 64 : index
    %c0_1 = arith.constant 0 : index
    %c64_2 = arith.constant 64 : index
    %c0_3 = arith.constant 0 : index
    %c64_4 = arith.constant 64 : index
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<8x8xf32, 2>
    %alloc_7 = memref.alloc() : memref<1xi32>
    affine.dma_start %arg0[%c0_5, %c0_5], %alloc[%c0_5, %c0_5], %alloc_7[%c0_5], %c64_4 : memref<8x8xf32>, memref<8x8xf32, 2>, memref<1xi32>
    affine.dma_wait %alloc_7[%c0_5], %c64_4 : memref<1xi32>
    %alloc_8 = memref.alloc() : memref<8x8xf32, 2>
    %alloc_9 = memref.alloc() : memref<1xi32>
    affine.dma_start %arg1[%c0_3, %c0_3], %alloc_8[%c0_3, %c0_3], %alloc_9[%c0_3], %c64_2 : memref<8x8xf32>, memref<8x8xf32, 2>, memref<1xi32>
    affine.dma_wait %alloc_9[%c0_3], %c64_2 : memref<1xi32>
    %alloc_10 = memref.alloc() : memref<8x8xf32, 2>
    %alloc_11 = memref.alloc() : memref<1xi32>
    affine.dma_start %arg2[%c0_1, %c0_1], %alloc_10[%c0_1, %c0_1], %alloc_11[%c0_1], %c64_0 : memref<8x8xf32>, memref<8x8xf32, 2>, memref<1xi32>
    affine.dma_wait %alloc_11[%c0_1], %c64_0 : memref<1xi32>
    %alloc_12 = memref.alloc() : memref<1xi32>
    affine.for %arg3 = 0 to 8 step 4 {
      affine.for %arg4 = 0 to 8 step 4 {
        affine.for %arg5 = 0 to 8 step 4 {
          affine.for %arg6 = #map(%arg3) to #map1(%arg3) {
            affine.for %arg7 = #map(%arg4) to #map1(%arg4) {
              affine.for %arg8 = #map(%arg5) to #map1(%arg5) {
                %0 = affine.load %alloc[%arg6, %arg8] : memref<8x8xf32, 2>
                %1 = affine.load %alloc_8[%arg8, %arg7] : memref<8x8xf32, 2>
                %2 = affine.load %alloc_10[%arg6, %arg7] : memref<8x8xf32, 2>
                %3 = arith.mulf %0, %1 : f32
                %4 = arith.addf %2, %3 : f32
                affine.store %4, %alloc_10[%arg6, %arg7] : memref<8x8xf32, 2>
              }
            }
          }
        }
      }
    }
    affine.dma_start %alloc_10[%c0, %c0], %arg2[%c0, %c0], %alloc_12[%c0], %c64 : memref<8x8xf32, 2>, memref<8x8xf32>, memref<1xi32>
    affine.dma_wait %alloc_12[%c0], %c64 : memref<1xi32>
    memref.dealloc %alloc_12 : memref<1xi32>
    memref.dealloc %alloc_11 : memref<1xi32>
    memref.dealloc %alloc_10 : memref<8x8xf32, 2>
    memref.dealloc %alloc_9 : memref<1xi32>
    memref.dealloc %alloc_8 : memref<8x8xf32, 2>
    memref.dealloc %alloc_7 : memref<1xi32>
    memref.dealloc %alloc : memref<8x8xf32, 2>
    return
  }
}

