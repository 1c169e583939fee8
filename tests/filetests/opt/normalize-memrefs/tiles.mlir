// test: opt --normalize-memrefs
// What becomes of them runs in tests/it/layouts.rs: the interpreter runs linear layouts only.

#tile = affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 2, d0 mod 4, d1 mod 2)>
#rows = affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>
#diagonals = affine_map<(d0, d1) -> (d0 + d1, d0)>

// Tiles, the last of which are partial.
func.func @tiled(%a: memref<10x5xf32>, %b: memref<10x5xf32>) {
  %t = memref.alloc() : memref<10x5xf32, #tile>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 5 {
      %x = affine.load %a[%i, %j] : memref<10x5xf32>
      affine.store %x, %t[%i, %j] : memref<10x5xf32, #tile>
    }
  }
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 5 {
      %x = affine.load %t[-%i + 9, -%j + 4] : memref<10x5xf32, #tile>
      affine.store %x, %b[%i, %j] : memref<10x5xf32>
    }
  }
  memref.dealloc %t : memref<10x5xf32, #tile>
  return
}

// The extents follow from those that the allocation is given.
func.func @open(%a: memref<?x6xf32>, %b: memref<?x6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc(%n) : memref<?x6xf32, #rows>
  %d = memref.alloc(%n) : memref<?x6xf32, #diagonals>
  %six = memref.dim %t, %c1 : memref<?x6xf32, #rows>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %six step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x6xf32>
      memref.store %x, %t[%i, %j] : memref<?x6xf32, #rows>
      %y = memref.load %t[%i, %j] : memref<?x6xf32, #rows>
      memref.store %y, %d[%i, %j] : memref<?x6xf32, #diagonals>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 6 {
      %x = affine.load %d[%i, %j] : memref<?x6xf32, #diagonals>
      affine.store %x, %b[%i, %j] : memref<?x6xf32>
    }
  }
  memref.dealloc %t : memref<?x6xf32, #rows>
  memref.dealloc %d : memref<?x6xf32, #diagonals>
  return
}

// One place for several elements: what is stored last is in all of them.
func.func @shared(%b: memref<8xindex>) {
  %t = memref.alloc() : memref<8xindex, affine_map<(d0) -> (d0 floordiv 2)>>
  affine.for %i = 0 to 8 {
    affine.store %i, %t[%i] : memref<8xindex, affine_map<(d0) -> (d0 floordiv 2)>>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %t[%i] : memref<8xindex, affine_map<(d0) -> (d0 floordiv 2)>>
    affine.store %x, %b[%i] : memref<8xindex>
  }
  memref.dealloc %t : memref<8xindex, affine_map<(d0) -> (d0 floordiv 2)>>
  return
}

// A factor below 0 is as good as another where the result is not.
func.func @backwards(%b: memref<8xindex>) {
  %t = memref.alloc() : memref<8xindex, affine_map<(d0) -> (7 - d0)>>
  affine.for %i = 0 to 8 {
    affine.store %i, %t[%i] : memref<8xindex, affine_map<(d0) -> (7 - d0)>>
    %x = affine.load %t[%i] : memref<8xindex, affine_map<(d0) -> (7 - d0)>>
    affine.store %x, %b[%i] : memref<8xindex>
  }
  memref.dealloc %t : memref<8xindex, affine_map<(d0) -> (7 - d0)>>
  return
}
