// A tile is copied by loops. What stays: a copy between rows of one memref, which may overlap; one whose
// extents are not known to agree; one of memrefs from outside of the loop.
//
// test: opt --lower-memref-copies
// test: run-opt --entry=tiles --arg=iota --arg=2
// test: run-opt --entry=stay --arg=iota --arg=zeros --arg=2
func.func @tiles(%a: memref<4x8xf32>, %n: index) {
  affine.for %i = 0 to 2 {
    %tile = memref.subview %a[%i, 0] [%n, 8] [1, 1]
      : memref<4x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
    %own = memref.alloca(%n) : memref<?x8xf32>
    memref.copy %tile, %own : memref<?x8xf32, strided<[8, 1], offset: ?>> to memref<?x8xf32>
    memref.copy %own, %tile : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
  }
  return
}
func.func @stay(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %n: index) {
  affine.for %i = 0 to 3 {
    %row = memref.subview %a[%i, 0] [1, 8] [1, 1]
      : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %below = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %next = memref.subview %a[%below, 0] [1, 8] [1, 1]
      : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %row, %next
      : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: ?>>
    %m = affine.apply affine_map<()[s0] -> (s0 + 0)>()[%n]
    %part = memref.subview %a[0, 0] [%n, 8] [1, 1]
      : memref<4x8xf32> to memref<?x8xf32, strided<[8, 1]>>
    %own = memref.alloca(%m) : memref<?x8xf32>
    memref.copy %part, %own : memref<?x8xf32, strided<[8, 1]>> to memref<?x8xf32>
    memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32>
  }
  return
}
