// test: opt --affine-pipeline-data-transfer
// test: run-opt --entry=rows --arg=random:1 --arg=random:2
// test: run-opt --entry=outside --arg=random:1 --arg=random:2
// test: run-opt --entry=carried --arg=random:1 --arg=random:2
// test: run-opt --entry=nested --arg=random:1 --arg=random:2
// test: run-opt --entry=both --arg=random:1 --arg=random:2

// Buffer and tag of each iteration, as affine-data-copy-generate leaves them.
func.func @rows(%a: memref<8x16xf32>, %b: memref<8x16xf32>) {
  affine.for %i = 0 to 8 {
    %f = memref.alloc() : memref<1x16xf32, 1>
    %t = memref.alloc() : memref<1xi32>
    %c16 = arith.constant 16 : index
    affine.dma_start %a[%i, 0], %f[0, 0], %t[0], %c16 : memref<8x16xf32>, memref<1x16xf32, 1>, memref<1xi32>
    affine.dma_wait %t[0], %c16 : memref<1xi32>
    affine.for %j = 0 to 16 {
      %x = affine.load %f[0, %j] : memref<1x16xf32, 1>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i, -%j + 15] : memref<8x16xf32>
    }
    memref.dealloc %t : memref<1xi32>
    memref.dealloc %f : memref<1x16xf32, 1>
  }
  return
}

// One buffer for all iterations, steps other than 1, a start that is computed, work before the wait.
func.func @outside(%a: memref<64xf32>, %b: memref<64xf32>) {
  %f = memref.alloc() : memref<6xf32, 1>
  %t = memref.alloc() : memref<1xi32>
  %c6 = arith.constant 6 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 3 to 50 step 5 {
    %k = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
    %l = arith.addi %k, %c0 : index
    affine.dma_start %a[symbol(%c0) + %k], %f[%c0], %t[%c0], %c6 : memref<64xf32>, memref<6xf32, 1>, memref<1xi32>
    affine.store %z, %b[%i] : memref<64xf32>
    affine.dma_wait %t[%c0], %c6 : memref<1xi32>
    affine.for %j = 0 to 5 {
      %x = affine.load %f[%j + 1] : memref<6xf32, 1>
      %y = affine.load %b[%i] : memref<64xf32>
      %w = arith.addf %x, %y : f32
      affine.store %w, %b[%i] : memref<64xf32>
    }
  }
  memref.dealloc %t : memref<1xi32>
  memref.dealloc %f : memref<6xf32, 1>
  return
}

// A sum that goes from one iteration to the next.
func.func @carried(%a: memref<6x4xf32>, %b: memref<1xf32>) {
  %z = arith.constant 0.0 : f32
  %f = memref.alloc() : memref<4xf32, 1>
  %t = memref.alloc() : memref<1xi32>
  %c4 = arith.constant 4 : index
  %s = affine.for %i = 0 to 6 iter_args(%sum = %z) -> f32 {
    affine.dma_start %a[%i, 0], %f[0], %t[0], %c4 : memref<6x4xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %t[0], %c4 : memref<1xi32>
    %x = affine.load %f[%i mod 4] : memref<4xf32, 1>
    %new = arith.addf %sum, %x : f32
    affine.yield %new : f32
  }
  memref.dealloc %t : memref<1xi32>
  memref.dealloc %f : memref<4xf32, 1>
  affine.store %s, %b[0] : memref<1xf32>
  return
}

// Transfers of a loop and of one inside.
func.func @nested(%a: memref<4x6xf32>, %b: memref<4x6xf32>) {
  %f = memref.alloc() : memref<6xf32, 1>
  %t = memref.alloc() : memref<1xi32>
  %c6 = arith.constant 6 : index
  %c2 = arith.constant 2 : index
  affine.for %i = 0 to 4 {
    affine.dma_start %a[%i, 0], %f[0], %t[0], %c6 : memref<4x6xf32>, memref<6xf32, 1>, memref<1xi32>
    affine.dma_wait %t[0], %c6 : memref<1xi32>
    %g = memref.alloc() : memref<2xf32, 1>
    %u = memref.alloc() : memref<1xi32>
    affine.for %j = affine_map<(d0) -> (d0 * 2)>(%i) to affine_map<(d0) -> (d0 * 2 + 6)>(%i) step 2 {
      affine.dma_start %a[%i, %j - %i * 2], %g[0], %u[0], %c2 : memref<4x6xf32>, memref<2xf32, 1>, memref<1xi32>
      affine.dma_wait %u[0], %c2 : memref<1xi32>
      affine.for %k = 0 to 2 {
        %x = affine.load %g[%k] : memref<2xf32, 1>
        %y = affine.load %f[%j - %i * 2 + %k] : memref<6xf32, 1>
        %z = arith.addf %x, %y : f32
        affine.store %z, %b[%i, %j - %i * 2 + %k] : memref<4x6xf32>
      }
    }
    memref.dealloc %u : memref<1xi32>
    memref.dealloc %g : memref<2xf32, 1>
  }
  memref.dealloc %t : memref<1xi32>
  memref.dealloc %f : memref<6xf32, 1>
  return
}

// In and out of one buffer: what goes out is waited for in its iteration.
func.func @both(%a: memref<8x4xf32>, %b: memref<8x4xf32>) {
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to 8 {
    %f = memref.alloc() : memref<4xf32, 1>
    %t = memref.alloc() : memref<1xi32>
    affine.dma_start %a[%i, 0], %f[0], %t[0], %c4 : memref<8x4xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %t[0], %c4 : memref<1xi32>
    affine.for %j = 0 to 4 {
      %x = affine.load %f[%j] : memref<4xf32, 1>
      %y = arith.addf %x, %x : f32
      affine.store %y, %f[%j] : memref<4xf32, 1>
    }
    %u = memref.alloc() : memref<1xi32>
    // remark: 115:5: its destination is not a buffer that this function allocates
    affine.dma_start %f[0], %b[%i, 0], %u[0], %c4 : memref<4xf32, 1>, memref<8x4xf32>, memref<1xi32>
    affine.dma_wait %u[0], %c4 : memref<1xi32>
    memref.dealloc %u : memref<1xi32>
    memref.dealloc %t : memref<1xi32>
    memref.dealloc %f : memref<4xf32, 1>
  }
  return
}
