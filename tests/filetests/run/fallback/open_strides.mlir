// Arguments as bufferization types them at function boundaries lie row-major in memory.
//     x = x + x;  of y, whose rows lie 4 apart, the first 2 columns
//
// test: run --arg=iota[2x3] --arg=iota[2x2] --arg=iota[3]
// expect: arg 0 = [[0, 2, 4], [6, 8, 10]]
// expect: arg 1 = [[0, 2], [4, 6]]
// expect: arg 2 = [0, 2, 4]
func.func @f(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %y: memref<?x?xf32, strided<[4, ?], offset: 1>>,
             %z: memref<?xf32, strided<[?]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %m = memref.dim %x, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %v = affine.load %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %s = arith.addf %v, %v : f32
      affine.store %s, %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %v = affine.load %y[%i, %j] : memref<?x?xf32, strided<[4, ?], offset: 1>>
      %s = arith.addf %v, %v : f32
      affine.store %s, %y[%i, %j] : memref<?x?xf32, strided<[4, ?], offset: 1>>
    }
  }
  affine.for %i = 0 to 3 {
    %v = affine.load %z[%i] : memref<?xf32, strided<[?]>>
    %s = arith.addf %v, %v : f32
    affine.store %s, %z[%i] : memref<?xf32, strided<[?]>>
  }
  return
}
