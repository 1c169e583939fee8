// test: opt --affine-mark-inbounds

// Nests of constant bounds: the greatest index is that of the last element, or one beyond; the least is 0, or -1. A nest with
// one access out of range has its other accesses judged one by one.
func.func @ends(%a: memref<8x6xf32>) {
  affine.for %i = 1 to 7 {
    affine.for %j = 0 to 5 {
      %x = affine.load %a[%i + 1, %j] : memref<8x6xf32>
      affine.store %x, %a[%i - 1, %j + 1] : memref<8x6xf32>
    }
  }
  affine.for %i = 1 to 8 {
    %x = affine.load %a[%i + 1, 0] : memref<8x6xf32>
    affine.store %x, %a[%i, 5] : memref<8x6xf32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i - 1, 0] : memref<8x6xf32>
    affine.store %x, %a[%i, 0] : memref<8x6xf32>
  }
  return
}

// Below the diagonal, and from it to one beyond the last column.
func.func @triangles(%a: memref<6x6xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%i, %j] : memref<6x6xf32>
      affine.store %x, %a[%j, %i] : memref<6x6xf32>
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 7 {
      %x = affine.load %a[%i, %j] : memref<6x6xf32>
      affine.store %x, %a[%i, %i] : memref<6x6xf32>
    }
  }
  return
}
