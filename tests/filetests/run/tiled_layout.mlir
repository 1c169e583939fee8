// A buffer in tiles of 2x4 elements, seen from a second function too: accesses apply the layout map.
// test: run-compiled --arg=iota --arg=zeros
// test: spirv
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [18, 19, 20, 21, 22, 23, 12, 13, 14, 15, 16, 17, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5]
#tiles = affine_map<(i, j) -> (i floordiv 2, j floordiv 4, i mod 2, j mod 4)>
func.func @upside_down(%x: memref<4x6xf32>, %y: memref<4x6xf32>) {
  %t = memref.alloc() : memref<4x6xf32, #tiles>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : memref<4x6xf32>
      affine.store %v, %t[%i, %j] : memref<4x6xf32, #tiles>
    }
  }
  call @take(%t, %y) : (memref<4x6xf32, #tiles>, memref<4x6xf32>) -> ()
  memref.dealloc %t : memref<4x6xf32, #tiles>
  return
}
func.func private @take(%t: memref<4x6xf32, #tiles>, %y: memref<4x6xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[3 - %i, %j] : memref<4x6xf32, #tiles>
      affine.store %v, %y[%i, %j] : memref<4x6xf32>
    }
  }
  return
}
