// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// A prefetch takes any dimension where its map has a symbol.

func.func @f(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    affine.prefetch %m[symbol(%i)], read, locality<3>, data : memref<8xf32>
  }
  return
}
