// test: opt --drop-hints
func.func @hints(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %a = memref.assume_alignment %x, 16 : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    affine.prefetch %a[%i, 0], read, locality<3>, data : memref<8x8xf32>
    affine.for %j = 0 to 8 {
      memref.prefetch %y[%i, %j], write, locality<1>, data : memref<8x8xf32>
      %v = affine.load %a[%i, %j] : memref<8x8xf32>
      affine.store %v, %y[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
