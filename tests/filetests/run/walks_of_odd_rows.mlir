// test: run --arg=iota --arg=zeros --entry=odd

// Threads walk tiles along y and z, whose numbers the tiles do not divide.
func.func @odd(%a: memref<7x67x37xf32>, %b: memref<7x67x37xf32>) {
  affine.for %i = 0 to 7 {
    affine.for %j = 1 to 66 {
      affine.for %k = 0 to 37 {
        %x = affine.load %a[%i, %j - 1, %k] : memref<7x67x37xf32>
        %y = affine.load %a[%i, %j + 1, %k] : memref<7x67x37xf32>
        %z = arith.addf %x, %y : f32
        affine.store %z, %b[%i, %j, %k] : memref<7x67x37xf32>
      }
    }
  }
  return
}

// test: run --arg=iota --arg=zeros --entry=turned

// A transposed row is far from the next one; the sizes are odd.
func.func @turned(%a: memref<333x129xf32>, %b: memref<129x333xf32>) {
  affine.for %i = 0 to 129 {
    affine.for %j = 0 to 333 {
      %x = affine.load %a[%j, %i] : memref<333x129xf32>
      affine.store %x, %b[%i, %j] : memref<129x333xf32>
    }
  }
  return
}
