// test: canonical
func.func @bounds(%n: index, %m: memref<8x8xf32>, %v: f32) {
  %c8 = arith.constant 8 : index
  affine.parallel (%i, %j) = (0, 0) to (%c8, 8) {
    affine.store %v, %m[%i, %j] : memref<8x8xf32>
  }
  affine.parallel (%i, %j) = (0, 0) to (1, 8) {
    affine.store %v, %m[%i, %j] : memref<8x8xf32>
  }
  affine.parallel (%i) = (0) to (0) {
    affine.store %v, %m[%i, %i] : memref<8x8xf32>
  }
  affine.parallel (%i) = (0) to (%n) {
  }
  return
}

func.func @groups(%n: index, %m: memref<8x8xf32>, %v: f32) {
  affine.parallel (%i, %j) = (0, max(%n, %n)) to (min(8, 4), 8) {
    affine.store %v, %m[%i, %j] : memref<8x8xf32>
  }
  affine.parallel (%i) = (0) to (1) {
    affine.store %v, %m[%i, %i] : memref<8x8xf32>
  }
  return
}

func.func @copies(%m: memref<8xf32>, %i: index, %n: index) {
  %s = memref.alloc() : memref<8xf32, 2>
  %t = memref.alloc() : memref<1xi32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  affine.dma_start %m[%c0], %s[%i + %c0], %t[%c0], %c8 : memref<8xf32>, memref<8xf32, 2>, memref<1xi32>
  affine.dma_wait %t[%c0], %c8 : memref<1xi32>
  return
}
