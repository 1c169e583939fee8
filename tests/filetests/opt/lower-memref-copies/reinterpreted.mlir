// Tiles that are named by offset and strides, as `expand-strided-metadata` leaves views, have the sizes
// that the operation says. The copy of tiles whose sizes are different values stays.
//
// test: opt --lower-memref-copies
// test: run-opt --entry=tiles --arg=iota --arg=2
// test: run-opt --entry=stays --arg=iota --arg=2 --arg=2
func.func @tiles(%a: memref<4x8xf32>, %n: index) {
  affine.for %i = 0 to 2 {
    %from = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %tile = memref.reinterpret_cast %a to offset: [%from], sizes: [%n, 3], strides: [8, 1]
      : memref<4x8xf32> to memref<?x3xf32, strided<[8, 1], offset: ?>>
    %memory = memref.alloca() : memref<4x3xf32>
    %own = memref.reinterpret_cast %memory to offset: [0], sizes: [%n, 3], strides: [3, 1]
      : memref<4x3xf32> to memref<?x3xf32, strided<[3, 1]>>
    memref.copy %tile, %own
      : memref<?x3xf32, strided<[8, 1], offset: ?>> to memref<?x3xf32, strided<[3, 1]>>
    memref.copy %own, %tile
      : memref<?x3xf32, strided<[3, 1]>> to memref<?x3xf32, strided<[8, 1], offset: ?>>
  }
  return
}
func.func @stays(%a: memref<4x8xf32>, %n: index, %m: index) {
  affine.for %i = 0 to 2 {
    %from = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %tile = memref.reinterpret_cast %a to offset: [%from], sizes: [%n, 3], strides: [8, 1]
      : memref<4x8xf32> to memref<?x3xf32, strided<[8, 1], offset: ?>>
    %memory = memref.alloca() : memref<4x3xf32>
    %own = memref.reinterpret_cast %memory to offset: [0], sizes: [%m, 3], strides: [3, 1]
      : memref<4x3xf32> to memref<?x3xf32, strided<[3, 1]>>
    memref.copy %tile, %own
      : memref<?x3xf32, strided<[8, 1], offset: ?>> to memref<?x3xf32, strided<[3, 1]>>
  }
  return
}
