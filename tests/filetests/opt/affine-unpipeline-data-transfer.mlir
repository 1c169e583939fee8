// test: opt --affine-unpipeline-data-transfer --canonicalize --cse
// test: run-opt --entry=guarded --arg=iota --arg=zeros
// test: run-opt --entry=open --arg=iota[160] --arg=zeros[160] --arg=10
// test: run-opt --entry=open --arg=iota[16] --arg=zeros[16] --arg=1
// test: run-opt --entry=in_steps --arg=iota --arg=zeros
// test: run-opt --entry=behind --arg=iota --arg=zeros
// test: run-opt --entry=weak_guard --arg=iota --arg=zeros
// test: run-opt --entry=other_start --arg=iota --arg=zeros
// test: run-opt --entry=two_ahead --arg=iota --arg=zeros

// The form that is written by hand: every iteration but the last starts the transfer of the next.
func.func @guarded(%x: memref<128xf32>, %y: memref<128xf32>) {
  %n = arith.constant 16 : index
  %buffer = memref.alloc() : memref<2x16xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[0], %buffer[0, 0], %tag[0], %n : memref<128xf32>, memref<2x16xf32, 3>, memref<2xi32>
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (6 - d0 >= 0)>(%i) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      affine.dma_start %x[%next * 16], %buffer[%next mod 2, 0], %tag[%next mod 2], %n : memref<128xf32>, memref<2x16xf32, 3>, memref<2xi32>
    }
    affine.dma_wait %tag[%i mod 2], %n : memref<2xi32>
    affine.for %j = 0 to 16 {
      %v = affine.load %buffer[%i mod 2, %j] : memref<2x16xf32, 3>
      affine.store %v, %y[%i * 16 + %j] : memref<128xf32>
    }
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %buffer : memref<2x16xf32, 3>
  return
}

// A number of tiles that is known only when the program runs.
func.func @open(%x: memref<?xf32>, %y: memref<?xf32>, %tiles: index) {
  %n = arith.constant 16 : index
  %buffer = memref.alloc() : memref<2x16xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[0], %buffer[0, 0], %tag[0], %n : memref<?xf32>, memref<2x16xf32, 3>, memref<2xi32>
  affine.for %i = 0 to %tiles {
    affine.if affine_set<(d0)[s0] : (s0 - d0 - 2 >= 0)>(%i)[%tiles] {
      affine.dma_start %x[%i * 16 + 16], %buffer[(%i + 1) mod 2, 0], %tag[(%i + 1) mod 2], %n : memref<?xf32>, memref<2x16xf32, 3>, memref<2xi32>
    }
    affine.dma_wait %tag[%i mod 2], %n : memref<2xi32>
    affine.for %j = 0 to 16 {
      %v = affine.load %buffer[%i mod 2, %j] : memref<2x16xf32, 3>
      affine.store %v, %y[%i * 16 + %j] : memref<?xf32>
    }
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %buffer : memref<2x16xf32, 3>
  return
}

// The counter is the number of an element; two transfers share the tag's memory, each with elements of its own.
func.func @in_steps(%x: memref<96xf32>, %y: memref<96xf32>) {
  %n = arith.constant 16 : index
  %a = memref.alloc() : memref<2x16xf32, 3>
  %b = memref.alloc() : memref<2x16xf32, 3>
  %tag = memref.alloc() : memref<2x2xi32>
  affine.dma_start %x[0], %a[0, 0], %tag[0, 0], %n : memref<96xf32>, memref<2x16xf32, 3>, memref<2x2xi32>
  affine.dma_start %x[80], %b[0, 0], %tag[1, 0], %n : memref<96xf32>, memref<2x16xf32, 3>, memref<2x2xi32>
  affine.for %i = 0 to 96 step 16 {
    affine.if affine_set<(d0) : (79 - d0 >= 0)>(%i) {
      affine.dma_start %x[%i + 16], %a[(%i floordiv 16 + 1) mod 2, 0], %tag[0, (%i floordiv 16 + 1) mod 2], %n : memref<96xf32>, memref<2x16xf32, 3>, memref<2x2xi32>
      affine.dma_start %x[64 - %i], %b[(%i floordiv 16 + 1) mod 2, 0], %tag[1, (%i floordiv 16 + 1) mod 2], %n : memref<96xf32>, memref<2x16xf32, 3>, memref<2x2xi32>
    }
    affine.dma_wait %tag[0, (%i floordiv 16) mod 2], %n : memref<2x2xi32>
    affine.dma_wait %tag[1, (%i floordiv 16) mod 2], %n : memref<2x2xi32>
    affine.for %j = 0 to 16 {
      %v = affine.load %a[(%i floordiv 16) mod 2, %j] : memref<2x16xf32, 3>
      %w = affine.load %b[(%i floordiv 16) mod 2, 15 - %j] : memref<2x16xf32, 3>
      %s = arith.addf %v, %w : f32
      affine.store %s, %y[%i + %j] : memref<96xf32>
    }
  }
  memref.dealloc %tag : memref<2x2xi32>
  memref.dealloc %b : memref<2x16xf32, 3>
  memref.dealloc %a : memref<2x16xf32, 3>
  return
}

// The form of affine-pipeline-data-transfer: all iterations start a transfer, and the last one is behind the loop.
func.func @behind(%x: memref<64xf32>, %y: memref<64xf32>) {
  %n = arith.constant 16 : index
  %buffer = memref.alloc() : memref<2x16xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[0], %buffer[0, 0], %tag[0], %n : memref<64xf32>, memref<2x16xf32, 3>, memref<2xi32>
  affine.for %i = 1 to 4 {
    affine.dma_start %x[%i * 16], %buffer[%i mod 2, 0], %tag[%i mod 2], %n : memref<64xf32>, memref<2x16xf32, 3>, memref<2xi32>
    affine.dma_wait %tag[(%i - 1) mod 2], %n : memref<2xi32>
    affine.for %j = 0 to 16 {
      %v = affine.load %buffer[(%i - 1) mod 2, %j] : memref<2x16xf32, 3>
      affine.store %v, %y[%i * 16 + %j - 16] : memref<64xf32>
    }
  }
  affine.dma_wait %tag[1], %n : memref<2xi32>
  affine.for %j = 0 to 16 {
    %v = affine.load %buffer[1, %j] : memref<2x16xf32, 3>
    affine.store %v, %y[%j + 48] : memref<64xf32>
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %buffer : memref<2x16xf32, 3>
  return
}

// Left: iteration 5 has a next one, but starts nothing; the wait of iteration 6 waits for nothing, and its tile is that of 4.
func.func @weak_guard(%x: memref<128xf32>, %y: memref<128xf32>) {
  %n = arith.constant 16 : index
  %buffer = memref.alloc() : memref<2x16xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[0], %buffer[0, 0], %tag[0], %n : memref<128xf32>, memref<2x16xf32, 3>, memref<2xi32>
  affine.for %i = 0 to 7 {
    affine.if affine_set<(d0) : (4 - d0 >= 0)>(%i) {
      affine.dma_start %x[%i * 16 + 16], %buffer[(%i + 1) mod 2, 0], %tag[(%i + 1) mod 2], %n : memref<128xf32>, memref<2x16xf32, 3>, memref<2xi32>
    }
    affine.if affine_set<(d0) : (5 - d0 >= 0)>(%i) {
      affine.dma_wait %tag[%i mod 2], %n : memref<2xi32>
    }
    affine.for %j = 0 to 16 {
      %v = affine.load %buffer[%i mod 2, %j] : memref<2x16xf32, 3>
      affine.store %v, %y[%i * 16 + %j] : memref<128xf32>
    }
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %buffer : memref<2x16xf32, 3>
  return
}

// Left: what is started in front of the loop is another tile than the one before the first that the loop starts.
func.func @other_start(%x: memref<128xf32>, %y: memref<128xf32>) {
  %n = arith.constant 16 : index
  %buffer = memref.alloc() : memref<2x16xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[32], %buffer[0, 0], %tag[0], %n : memref<128xf32>, memref<2x16xf32, 3>, memref<2xi32>
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (6 - d0 >= 0)>(%i) {
      affine.dma_start %x[%i * 16 + 16], %buffer[(%i + 1) mod 2, 0], %tag[(%i + 1) mod 2], %n : memref<128xf32>, memref<2x16xf32, 3>, memref<2xi32>
    }
    affine.dma_wait %tag[%i mod 2], %n : memref<2xi32>
    affine.for %j = 0 to 16 {
      %v = affine.load %buffer[%i mod 2, %j] : memref<2x16xf32, 3>
      affine.store %v, %y[%i * 16 + %j] : memref<128xf32>
    }
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %buffer : memref<2x16xf32, 3>
  return
}

// Left: two iterations ahead, in three buffers.
func.func @two_ahead(%x: memref<96xf32>, %y: memref<96xf32>) {
  %n = arith.constant 16 : index
  %buffer = memref.alloc() : memref<3x16xf32, 3>
  %tag = memref.alloc() : memref<3xi32>
  affine.dma_start %x[0], %buffer[0, 0], %tag[0], %n : memref<96xf32>, memref<3x16xf32, 3>, memref<3xi32>
  affine.dma_start %x[16], %buffer[1, 0], %tag[1], %n : memref<96xf32>, memref<3x16xf32, 3>, memref<3xi32>
  affine.for %i = 0 to 6 {
    affine.if affine_set<(d0) : (3 - d0 >= 0)>(%i) {
      affine.dma_start %x[%i * 16 + 32], %buffer[(%i + 2) mod 3, 0], %tag[(%i + 2) mod 3], %n : memref<96xf32>, memref<3x16xf32, 3>, memref<3xi32>
    }
    affine.dma_wait %tag[%i mod 3], %n : memref<3xi32>
    affine.for %j = 0 to 16 {
      %v = affine.load %buffer[%i mod 3, %j] : memref<3x16xf32, 3>
      affine.store %v, %y[%i * 16 + %j] : memref<96xf32>
    }
  }
  memref.dealloc %tag : memref<3xi32>
  memref.dealloc %buffer : memref<3x16xf32, 3>
  return
}
