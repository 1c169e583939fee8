// test: opt --affine-fold-memref-alias-ops
// test: run-opt --entry=rows --arg=random:1 --arg=random:2

// Accesses of the affine dialect alone.
func.func @rows(%a: memref<6x4xf32>, %b: memref<6x4xf32>) {
  affine.for %i = 0 to 6 {
    %v = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %w = memref.subview %b[%i, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    affine.for %j = 0 to 4 {
      %x = affine.load %v[%j] : memref<4xf32, strided<[1], offset: ?>>
      %y = memref.load %v[%j] : memref<4xf32, strided<[1], offset: ?>>
      %z = arith.addf %x, %y : f32
      affine.store %z, %w[%j] : memref<4xf32, strided<[1], offset: ?>>
    }
  }
  return
}
