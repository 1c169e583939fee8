// test: opt --affine-super-vectorize=virtual-vector-size=2,4
// test: run-opt --entry=plane --arg=random:1 --arg=random:2
// test: run-opt --entry=broadcast --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=transposed --arg=random:1 --arg=random:2

func.func @plane(%a: memref<4x10xf32>, %b: memref<4x10xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 1 to 9 {
      %x = affine.load %a[%i, %j - 1] : memref<4x10xf32>
      %y = affine.load %a[%i, %j + 1] : memref<4x10xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %b[%i, %j] : memref<4x10xf32>
    }
  }
  return
}

// A column and a row for all of a plane.
func.func @broadcast(%a: memref<4xf32>, %b: memref<8xf32>, %c: memref<4x8xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i] : memref<4xf32>
      %y = affine.load %b[%j] : memref<8xf32>
      %z = arith.mulf %x, %y : f32
      affine.store %z, %c[%i, %j] : memref<4x8xf32>
    }
  }
  return
}

// Columns are rows of what is read.
func.func @transposed(%a: memref<8x4xf32>, %b: memref<4x8x3xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%j, %i] : memref<8x4xf32>
      affine.store %x, %b[%i, %j, 1] : memref<4x8x3xf32>
    }
  }
  return
}

// No loop is left for what fills no vector.
func.func @partial(%a: memref<4x6xf32>) {
  // remark: 45:3: its number of iterations is no multiple of the size
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<4x6xf32>
      affine.store %x, %a[%i, %j] : memref<4x6xf32>
    }
  }
  return
}
