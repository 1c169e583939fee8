// test: opt --affine-pipeline-data-transfer
// test: run-opt --entry=recurrence --arg=random:1
// test: run-opt --entry=part --arg=random:1 --arg=zeros
// test: run-opt --entry=early --arg=random:1 --arg=zeros
// test: run-opt --entry=after --arg=random:1 --arg=zeros
// test: run-opt --entry=open --arg=random:1 --arg=zeros --arg=0

// What an iteration writes, the next one reads.
func.func @recurrence(%a: memref<9x4xf32>) {
  %f = memref.alloc() : memref<4xf32, 1>
  %t = memref.alloc() : memref<1xi32>
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to 8 {
    // remark: 15:5: the loop may write what is transferred
    affine.dma_start %a[%i, 0], %f[0], %t[0], %c4 : memref<9x4xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %t[0], %c4 : memref<1xi32>
    affine.for %j = 0 to 4 {
      %x = affine.load %f[%j] : memref<4xf32, 1>
      affine.store %x, %a[%i + 1, %j] : memref<9x4xf32>
    }
  }
  memref.dealloc %t : memref<1xi32>
  memref.dealloc %f : memref<4xf32, 1>
  return
}

// The rest of the buffer is that of the iteration before.
func.func @part(%a: memref<8x4xf32>, %b: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  %f = memref.alloc() : memref<5xf32, 1>
  %t = memref.alloc() : memref<1xi32>
  %c4 = arith.constant 4 : index
  affine.store %z, %f[4] : memref<5xf32, 1>
  affine.for %i = 0 to 8 {
    // remark: 36:5: it does not fill all of its buffer
    affine.dma_start %a[%i, 0], %f[0], %t[0], %c4 : memref<8x4xf32>, memref<5xf32, 1>, memref<1xi32>
    affine.dma_wait %t[0], %c4 : memref<1xi32>
    %x = affine.load %f[4] : memref<5xf32, 1>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  memref.dealloc %t : memref<1xi32>
  memref.dealloc %f : memref<5xf32, 1>
  return
}

// The buffer still holds the row of the iteration before.
func.func @early(%a: memref<8x4xf32>, %b: memref<8xf32>) {
  %f = memref.alloc() : memref<4xf32, 1>
  %t = memref.alloc() : memref<1xi32>
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {
      %x = affine.load %f[0] : memref<4xf32, 1>
      affine.store %x, %b[%i] : memref<8xf32>
    }
    // remark: 57:5: the loop uses the buffer before it waits
    affine.dma_start %a[%i, 0], %f[0], %t[0], %c4 : memref<8x4xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %t[0], %c4 : memref<1xi32>
  }
  memref.dealloc %t : memref<1xi32>
  memref.dealloc %f : memref<4xf32, 1>
  return
}

// The last row is used behind the loop.
func.func @after(%a: memref<8x4xf32>, %b: memref<8xf32>) {
  %f = memref.alloc() : memref<4xf32, 1>
  %t = memref.alloc() : memref<1xi32>
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to 8 {
    // remark: 72:5: its buffer or tag is used outside of the loop, or by another operation
    affine.dma_start %a[%i, 0], %f[0], %t[0], %c4 : memref<8x4xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %t[0], %c4 : memref<1xi32>
  }
  %x = affine.load %f[0] : memref<4xf32, 1>
  affine.store %x, %b[0] : memref<8xf32>
  memref.dealloc %t : memref<1xi32>
  memref.dealloc %f : memref<4xf32, 1>
  return
}

// Without an iteration, nothing may start.
func.func @open(%a: memref<8x4xf32>, %b: memref<8xf32>, %n: index) {
  %f = memref.alloc() : memref<4xf32, 1>
  %t = memref.alloc() : memref<1xi32>
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to %n {
    // remark: 89:5: the number of iterations is not constant
    affine.dma_start %a[%i, 0], %f[0], %t[0], %c4 : memref<8x4xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %t[0], %c4 : memref<1xi32>
    %x = affine.load %f[0] : memref<4xf32, 1>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  memref.dealloc %t : memref<1xi32>
  memref.dealloc %f : memref<4xf32, 1>
  return
}
