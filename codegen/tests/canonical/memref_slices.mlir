// test: canonical
func.func @reaches_beyond(%m: memref<10xf32>) -> (memref<?xf32, strided<[1], offset: 4>>, memref<?xf32, strided<[2]>>) {
  %c7 = arith.constant 7 : index
  %c6 = arith.constant 6 : index
  %a = memref.subview %m[4] [%c7] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: 4>>
  %b = memref.subview %m[0] [%c6] [2] : memref<10xf32> to memref<?xf32, strided<[2]>>
  return %a, %b : memref<?xf32, strided<[1], offset: 4>>, memref<?xf32, strided<[2]>>
}

func.func @just_fits(%m: memref<10xf32>) -> memref<?xf32, strided<[3], offset: 1>> {
  %c3 = arith.constant 3 : index
  %a = memref.subview %m[1] [%c3] [3] : memref<10xf32> to memref<?xf32, strided<[3], offset: 1>>
  return %a : memref<?xf32, strided<[3], offset: 1>>
}

func.func @backwards(%m: memref<6xf32>) -> memref<6xf32, strided<[?], offset: 5>> {
  %step = arith.constant -1 : index
  %a = memref.subview %m[5] [6] [%step] : memref<6xf32> to memref<6xf32, strided<[?], offset: 5>>
  return %a : memref<6xf32, strided<[?], offset: 5>>
}

func.func @stands_still(%m: memref<6xf32>) -> memref<6xf32, strided<[?], offset: 5>> {
  %step = arith.constant 0 : index
  %a = memref.subview %m[5] [6] [%step] : memref<6xf32> to memref<6xf32, strided<[?], offset: 5>>
  return %a : memref<6xf32, strided<[?], offset: 5>>
}

func.func @nothing_changes(%m: memref<7xi8>, %n: memref<?x?xi8>, %k: index, %l: index) -> (memref<7xi8>, memref<?x?xi8>) {
  %a = memref.collapse_shape %m [[0]] : memref<7xi8> into memref<7xi8>
  %b = memref.expand_shape %n [[0], [1]] output_shape [%k, %l] : memref<?x?xi8> into memref<?x?xi8>
  return %a, %b : memref<7xi8>, memref<?x?xi8>
}

func.func @one_after_the_other(%m: memref<?xf32, strided<[1]>>, %n: index) -> memref<2x?xf32> {
  %a = memref.expand_shape %m [[0, 1]] output_shape [2, %n] : memref<?xf32, strided<[1]>> into memref<2x?xf32>
  return %a : memref<2x?xf32>
}

func.func @taken_apart(%m: memref<6x3xf32>, %n: memref<?xf32, strided<[?], offset: ?>>)
    -> (memref<3x6xf32, strided<[1, 3]>>, memref<2xf32, strided<[1], offset: ?>>) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m
      : memref<6x3xf32> -> memref<f32>, index, index, index, index, index
  %a = memref.reinterpret_cast %b to offset: [0], sizes: [3, 6], strides: [1, 3]
      : memref<f32> to memref<3x6xf32, strided<[1, 3]>>
  %c, %p, %u, %v = memref.extract_strided_metadata %n
      : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  %d = memref.reinterpret_cast %c to offset: [%p], sizes: [2], strides: [1]
      : memref<f32> to memref<2xf32, strided<[1], offset: ?>>
  return %a, %d : memref<3x6xf32, strided<[1, 3]>>, memref<2xf32, strided<[1], offset: ?>>
}

func.func @shape_in_few_bits(%m: memref<*xf32>, %s: memref<?xi16>) -> index {
  %c1 = arith.constant 1 : index
  %a = memref.reshape %m(%s) : (memref<*xf32>, memref<?xi16>) -> memref<*xf32>
  %d = memref.dim %a, %c1 : memref<*xf32>
  return %d : index
}

func.func @grown_for_nothing(%m: memref<2xf32>, %v: f32) -> memref<2xf32> {
  %c3 = arith.constant 3 : index
  %a = memref.realloc %m : memref<2xf32> to memref<4xf32>
  memref.store %v, %a[%c3] : memref<4xf32>
  return %m : memref<2xf32>
}

func.func @slices_of_tensors(%t: tensor<10xf32>, %u: tensor<?xf32>) -> (tensor<?xf32>, tensor<10xf32>) {
  %c7 = arith.constant 7 : index
  %c3 = arith.constant 3 : index
  %a = tensor.extract_slice %t[4] [%c7] [1] : tensor<10xf32> to tensor<?xf32>
  %b = tensor.insert_slice %u into %t[%c7] [%c3] [1] : tensor<?xf32> into tensor<10xf32>
  return %a, %b : tensor<?xf32>, tensor<10xf32>
}
