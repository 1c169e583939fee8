// A view by negative strides that stays inside of its source shares no memory with other arguments;
// one that leaves it may.
// test: explain
func.func @inside(%a: memref<24xf32>, %o: memref<4x6xf32>) {
  %r = memref.reinterpret_cast %a to offset: [23], sizes: [4, 6], strides: [-6, -1] : memref<24xf32> to memref<4x6xf32, strided<[-6, -1], offset: 23>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %r[%i, %j] : memref<4x6xf32, strided<[-6, -1], offset: 23>>
      affine.store %v, %o[%i, %j] : memref<4x6xf32>
    }
  }
  return
}
func.func @before_the_start(%a: memref<24xf32>, %o: memref<4x6xf32>) {
  %r = memref.reinterpret_cast %a to offset: [22], sizes: [4, 6], strides: [-6, -1] : memref<24xf32> to memref<4x6xf32, strided<[-6, -1], offset: 22>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %r[%i, %j] : memref<4x6xf32, strided<[-6, -1], offset: 22>>
      affine.store %v, %o[%i, %j] : memref<4x6xf32>
    }
  }
  return
}
