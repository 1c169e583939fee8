// What a verdict says where subscripts are affine and the element is unknown all the same.
// test: explain

// Columns of an open stride may be one element: a stride of 0 is no error.
func.func @strides(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %n: index, %m: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %v = affine.load %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %s = arith.addf %v, %v : f32
      affine.store %s, %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    }
  }
  return
}

// A copy touches elements that are not told apart.
func.func @copied(%a: memref<8xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %b[%i] : memref<8xf32>
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    affine.store %x, %a[%i] : memref<8xf32>
  }
  return
}

// What a function without a body does is not known.
func.func @called(%a: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    func.call @elsewhere(%i) : (index) -> ()
  }
  return
}
func.func private @elsewhere(index)
