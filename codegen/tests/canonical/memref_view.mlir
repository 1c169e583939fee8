// test: canonical
func.func @transposed(%m: memref<2x3xf32>) -> (memref<2x3xf32>, memref<2x3xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  %a = memref.transpose %m (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
  %0 = memref.transpose %a (i, j) -> (j, i) : memref<3x2xf32, strided<[1, 3]>> to memref<2x3xf32>
  %c = memref.cast %m : memref<2x3xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %1 = memref.transpose %c (i, j) -> (j, i) : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %0, %m, %1 : memref<2x3xf32>, memref<2x3xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>
}

func.func @bytes(%b: memref<2048xi8>, %n: index) -> (memref<?x?xf32>, memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = memref.view %b[%c0][%c4, %c8] : memref<2048xi8> to memref<?x?xf32>
  %c = memref.cast %b : memref<2048xi8> to memref<?xi8>
  %1 = memref.view %c[%c8][%n] : memref<?xi8> to memref<?x4xf32>
  return %0, %1 : memref<?x?xf32>, memref<?x4xf32>
}
