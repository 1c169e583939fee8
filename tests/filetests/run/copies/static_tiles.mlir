// Tiles of one size that are copied in, worked on in place and copied back: the loops over them become
// one kernel. Each element of 2x8 is doubled and gets 1 added: 2 (8 r + c) + 1.
//
// test: run --arg=iota
// expect: arg 0 = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31]
func.func @tiles(%a: memref<2x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  scf.for %j = %c0 to %c8 step %c4 {
    %tile = memref.subview %a[0, %j] [2, 4] [1, 1]
      : memref<2x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
    %own = memref.alloc() : memref<2x4xf32>
    memref.copy %tile, %own : memref<2x4xf32, strided<[8, 1], offset: ?>> to memref<2x4xf32>
    scf.for %x = %c0 to %c2 step %c1 {
      scf.for %y = %c0 to %c4 step %c1 {
        %v = memref.load %own[%x, %y] : memref<2x4xf32>
        %w = arith.addf %v, %v : f32
        %s = arith.addf %w, %one : f32
        memref.store %s, %own[%x, %y] : memref<2x4xf32>
      }
    }
    memref.copy %own, %tile : memref<2x4xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
    memref.dealloc %own : memref<2x4xf32>
  }
  return
}
