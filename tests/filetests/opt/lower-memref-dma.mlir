// Transfers of tiles: rows of an array, all of a tile of a double buffer, a plane, every second row. Those that
// stay: of unknown length, past the end of a row, of a tag that is also data, of whole arrays.
// test: opt --lower-memref-dma
// test: run-opt --entry=rows --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// test: run-opt --entry=buffers --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7]
// test: run-opt --entry=planes --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// test: run-opt --entry=second_rows --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 4, 5, 2, 3, 6, 7]
// test: run-opt --entry=stay --arg=iota --arg=zeros --arg=2
// expect: arg 1 = [2, 3, 4, 5, 4, 5, 6, 7]

// Tiles of 2 by 2 in and out again, by rows that lie 4 elements apart.
func.func @rows(%a: memref<4x4xf32>, %r: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to 4 step 2 {
    affine.for %j = 0 to 4 step 2 {
      %t = memref.alloc() : memref<2x2xf32, 2>
      %tag = memref.alloc() : memref<1xi32>
      affine.dma_start %a[%i, %j], %t[%c0, %c0], %tag[%c0], %c4, %c4, %c2 : memref<4x4xf32>, memref<2x2xf32, 2>, memref<1xi32>
      affine.dma_wait %tag[%c0], %c4 : memref<1xi32>
      affine.dma_start %t[%c0, %c0], %r[%i, %j], %tag[%c0], %c4, %c4, %c2 : memref<2x2xf32, 2>, memref<4x4xf32>, memref<1xi32>
      affine.dma_wait %tag[%c0], %c4 : memref<1xi32>
      memref.dealloc %tag : memref<1xi32>
      memref.dealloc %t : memref<2x2xf32, 2>
    }
  }
  return
}

// A buffer of two tiles, which take turns.
func.func @buffers(%a: memref<8xf32>, %r: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %t = memref.alloc() : memref<2x2xf32, 2>
  %tag = memref.alloc() : memref<2xi32>
  affine.for %i = 0 to 4 {
    affine.dma_start %a[%i * 2], %t[%i mod 2, %c0], %tag[%i mod 2], %c2 : memref<8xf32>, memref<2x2xf32, 2>, memref<2xi32>
    affine.dma_wait %tag[%i mod 2], %c2 : memref<2xi32>
    affine.for %x = 0 to 2 {
      %v = affine.load %t[%i mod 2, %x] : memref<2x2xf32, 2>
      affine.store %v, %r[%i * 2 + %x] : memref<8xf32>
    }
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %t : memref<2x2xf32, 2>
  return
}

// A plane of two rows is one row of the tile.
func.func @planes(%a: memref<2x2x4xf32>, %r: memref<2x8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  affine.for %i = 0 to 2 {
    %t = memref.alloc() : memref<8xf32, 2>
    %tag = memref.alloca() : memref<1xi32>
    memref.dma_start %a[%i, %c0, %c0], %t[%c0], %c8, %tag[%c0] : memref<2x2x4xf32>, memref<8xf32, 2>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
    affine.for %x = 0 to 8 {
      %v = affine.load %t[%x] : memref<8xf32, 2>
      affine.store %v, %r[%i, %x] : memref<2x8xf32>
    }
    memref.dealloc %t : memref<8xf32, 2>
  }
  return
}

// Rows 0 and 2, then 1 and 3.
func.func @second_rows(%a: memref<4x2xf32>, %r: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to 2 {
    %t = memref.alloc() : memref<2x2xf32, 2>
    %tag = memref.alloca() : memref<1xi32>
    affine.dma_start %a[%i, %c0], %t[%c0, %c0], %tag[%c0], %c4, %c4, %c2 : memref<4x2xf32>, memref<2x2xf32, 2>, memref<1xi32>
    affine.dma_wait %tag[%c0], %c4 : memref<1xi32>
    affine.for %x = 0 to 2 {
      affine.for %y = 0 to 2 {
        %v = affine.load %t[%x, %y] : memref<2x2xf32, 2>
        affine.store %v, %r[%i, %x * 2 + %y] : memref<2x4xf32>
      }
    }
    memref.dealloc %t : memref<2x2xf32, 2>
  }
  return
}

func.func @stay(%a: memref<2x4xi32>, %r: memref<2x4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %whole = memref.alloc() : memref<2x4xi32>
  %tag = memref.alloca() : memref<1xi32>
  memref.dma_start %a[%c0, %c0], %whole[%c0, %c0], %c8, %tag[%c0] : memref<2x4xi32>, memref<2x4xi32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
  affine.for %i = 0 to 1 {
    %t = memref.alloc() : memref<4xi32, 2>
    %tag1 = memref.alloca() : memref<1xi32>
    affine.dma_start %a[%i, %c2], %t[%c0], %tag1[%c0], %c4 : memref<2x4xi32>, memref<4xi32, 2>, memref<1xi32>
    affine.dma_wait %tag1[%c0], %c4 : memref<1xi32>
    affine.for %x = 0 to 4 {
      %v = affine.load %t[%x] : memref<4xi32, 2>
      affine.store %v, %r[%i, %x] : memref<2x4xi32>
    }
    memref.dealloc %t : memref<4xi32, 2>
  }
  affine.for %i = 1 to 2 {
    %t = memref.alloc() : memref<4xi32, 2>
    %tag2 = memref.alloca() : memref<1xi32>
    affine.dma_start %whole[%i, %c0], %t[%c0], %tag2[%c0], %n : memref<2x4xi32>, memref<4xi32, 2>, memref<1xi32>
    affine.dma_wait %tag2[%c0], %n : memref<1xi32>
    affine.dma_start %whole[%i, %c2], %t[symbol(%n)], %tag2[%c0], %n : memref<2x4xi32>, memref<4xi32, 2>, memref<1xi32>
    affine.dma_wait %tag2[%c0], %n : memref<1xi32>
    affine.for %x = 0 to 4 {
      %v = affine.load %t[%x] : memref<4xi32, 2>
      affine.store %v, %r[%i, %x] : memref<2x4xi32>
    }
    memref.dealloc %t : memref<4xi32, 2>
  }
  memref.dealloc %whole : memref<2x4xi32>
  return
}
