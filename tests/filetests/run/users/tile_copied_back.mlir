// Tiles of a matrix doubled in memory of their own, as bufferization leaves tiles that are padded: it copies
// each tile back, then the place in the matrix onto itself, through a view made anew. The last tile of a row
// is one column wide. Tiles do not meet, so that all of this is one kernel.
// test: run --arg=iota
// expect: arg 0 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38]
// test: explain
func.func @tile_copied_back(%a: memref<4x5xi32>) {
  affine.for %i = 0 to 4 step 2 {
    affine.for %j = 0 to 5 step 2 {
      %width = affine.min affine_map<(d0) -> (2, 5 - d0)>(%j)
      %tile = memref.subview %a[%i, %j] [2, %width] [1, 1]
        : memref<4x5xi32> to memref<2x?xi32, strided<[5, 1], offset: ?>>
      %memory = memref.alloc() : memref<2x2xi32>
      %own = memref.subview %memory[0, 0] [2, %width] [1, 1]
        : memref<2x2xi32> to memref<2x?xi32, strided<[2, 1]>>
      memref.copy %tile, %own
        : memref<2x?xi32, strided<[5, 1], offset: ?>> to memref<2x?xi32, strided<[2, 1]>>
      affine.for %y = 0 to 2 {
        affine.for %x = 0 to min affine_map<(d0) -> (2, 5 - d0)>(%j) {
          %v = affine.load %memory[%y, %x] : memref<2x2xi32>
          %w = arith.addi %v, %v : i32
          affine.store %w, %memory[%y, %x] : memref<2x2xi32>
        }
      }
      %again = affine.min affine_map<(d0) -> (2, 5 - d0)>(%j)
      %back = memref.subview %memory[0, 0] [2, %again] [1, 1]
        : memref<2x2xi32> to memref<2x?xi32, strided<[2, 1]>>
      memref.copy %back, %tile
        : memref<2x?xi32, strided<[2, 1]>> to memref<2x?xi32, strided<[5, 1], offset: ?>>
      %there = memref.subview %a[%i, %j] [2, %again] [1, 1]
        : memref<4x5xi32> to memref<2x?xi32, strided<[5, 1], offset: ?>>
      memref.copy %tile, %there
        : memref<2x?xi32, strided<[5, 1], offset: ?>> to memref<2x?xi32, strided<[5, 1], offset: ?>>
      memref.dealloc %memory : memref<2x2xi32>
    }
  }
  return
}
