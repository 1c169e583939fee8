// test: canonical
func.func @of_subview(%n: index, %m: memref<?x4x?xf32>, %k: index) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = memref.subview %m[0, 0, 0] [%n, 2, %k] [1, 1, 1] : memref<?x4x?xf32> to memref<?x2x?xf32, strided<[?, ?, 1]>>
  %0 = memref.dim %s, %c0 : memref<?x2x?xf32, strided<[?, ?, 1]>>
  %1 = memref.dim %s, %c1 : memref<?x2x?xf32, strided<[?, ?, 1]>>
  %2 = memref.dim %s, %c2 : memref<?x2x?xf32, strided<[?, ?, 1]>>
  %c = memref.cast %m : memref<?x4x?xf32> to memref<?x?x?xf32>
  %3 = memref.dim %c, %c1 : memref<?x?x?xf32>
  %4 = memref.dim %c, %c0 : memref<?x?x?xf32>
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}

func.func @of_views(%b: memref<?xi8>, %n: index, %o: index, %a: memref<?xf32>, %r: memref<?xf32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.view %b[%o][%n] : memref<?xi8> to memref<?x4xf32>
  %0 = memref.dim %v, %c0 : memref<?x4xf32>
  %e = memref.expand_shape %a [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  %1 = memref.dim %e, %c0 : memref<?x4xf32>
  %rc = memref.reinterpret_cast %a to offset: [%o], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %2 = memref.dim %rc, %c0 : memref<?xf32, strided<[1], offset: ?>>
  %t = memref.transpose %v (i, j) -> (j, i) : memref<?x4xf32> to memref<4x?xf32, strided<[1, 4]>>
  %3 = memref.dim %t, %c1 : memref<4x?xf32, strided<[1, 4]>>
  return %0, %1, %2, %3 : index, index, index, index
}

func.func @of_reshape(%m: memref<*xf32>, %s: memref<?xindex>, %i: index) -> index {
  %r = memref.reshape %m(%s) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %d = memref.dim %r, %i : memref<*xf32>
  return %d : index
}
