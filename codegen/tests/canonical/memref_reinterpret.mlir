// test: canonical
func.func @constants(%m: memref<?xf32>, %i: index) -> (memref<?xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[1], offset: 2>>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %0 = memref.reinterpret_cast %m to offset: [%c0], sizes: [%c4], strides: [%c1] : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %a = memref.reinterpret_cast %m to offset: [%i], sizes: [8], strides: [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: ?>>
  %1 = memref.reinterpret_cast %a to offset: [2], sizes: [4], strides: [1] : memref<8xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: 2>>
  return %0, %1 : memref<?xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[1], offset: 2>>
}

func.func @of_views(%m: memref<8xf32>) -> (memref<4xf32, strided<[1], offset: 2>>, memref<4xf32, strided<[1], offset: 2>>) {
  %c = memref.cast %m : memref<8xf32> to memref<?xf32>
  %0 = memref.reinterpret_cast %c to offset: [2], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: 2>>
  %s = memref.subview %m[0] [6] [1] : memref<8xf32> to memref<6xf32, strided<[1]>>
  %1 = memref.reinterpret_cast %s to offset: [2], sizes: [4], strides: [1] : memref<6xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: 2>>
  return %0, %1 : memref<4xf32, strided<[1], offset: 2>>, memref<4xf32, strided<[1], offset: 2>>
}

func.func @put_together(%m: memref<?x?xf32>) -> memref<?x?xf32, strided<[?, 1]>> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %0 = memref.reinterpret_cast %b to offset: [0], sizes: [%s#0, %s#1], strides: [%t#0, 1] : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
  return %0 : memref<?x?xf32, strided<[?, 1]>>
}

func.func @same(%m: memref<4x8xf32>) -> memref<4x8xf32> {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<4x8xf32> to memref<4x8xf32>
  return %0 : memref<4x8xf32>
}

func.func @taken_apart(%m: memref<4x8xf32>) -> (index, index, index) {
  %c = memref.cast %m : memref<4x8xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %c : memref<?x?xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %o, %s#0, %t#0 : index, index, index
}
