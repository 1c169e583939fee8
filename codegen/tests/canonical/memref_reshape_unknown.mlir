// test: canonical
func.func @back(%m: memref<?x4xf32>, %n: index, %k: index) -> memref<?x4xf32> {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  return %1 : memref<?x4xf32>
}

func.func @expanded_further(%m: memref<?x4x?xf32>, %n: index, %k: index) -> memref<?x2x2x?xf32> {
  %a = memref.collapse_shape %m [[0, 1], [2]] : memref<?x4x?xf32> into memref<?x?xf32>
  %b = memref.expand_shape %a [[0, 1, 2], [3]] output_shape [%n, 2, 2, %k] : memref<?x?xf32> into memref<?x2x2x?xf32>
  return %b : memref<?x2x2x?xf32>
}

func.func @collapsed_further(%m: memref<?x?xf32>, %n: index, %k: index) -> memref<?xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, %k] : memref<?x?xf32> into memref<?x4x?xf32>
  %1 = memref.collapse_shape %0 [[0, 1, 2]] : memref<?x4x?xf32> into memref<?xf32>
  return %1 : memref<?xf32>
}

func.func @times_a_number(%m: memref<?x?xf32>, %n: index, %k: index) -> memref<?x4x?xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [%n, 4, %k, 2] : memref<?x?xf32> into memref<?x4x?x2xf32>
  %1 = memref.collapse_shape %0 [[0], [1], [2, 3]] : memref<?x4x?x2xf32> into memref<?x4x?xf32>
  return %1 : memref<?x4x?xf32>
}

func.func @forth(%m: memref<?x?xf32>, %n: index, %k: index) -> memref<?x?xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, %k] : memref<?x?xf32> into memref<?x4x?xf32>
  %1 = memref.collapse_shape %0 [[0, 1], [2]] : memref<?x4x?xf32> into memref<?x?xf32>
  return %1 : memref<?x?xf32>
}

func.func @to_one_element(%m: memref<1x1xf32>) -> memref<f32> {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<1x1xf32> into memref<1xf32>
  %1 = memref.collapse_shape %0 [] : memref<1xf32> into memref<f32>
  return %1 : memref<f32>
}

func.func @from_one_element(%m: memref<f32>) -> memref<1x1xf32> {
  %0 = memref.expand_shape %m [] output_shape [1] : memref<f32> into memref<1xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [1, 1] : memref<1xf32> into memref<1x1xf32>
  return %1 : memref<1x1xf32>
}

func.func @known_by_a_cast(%m: memref<8x4xf32>, %n: index) -> memref<?x4x?xf32> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %0 = memref.cast %m : memref<8x4xf32> to memref<?x?xf32>
  %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [%c2, 4, %c4] : memref<?x?xf32> into memref<?x4x?xf32>
  return %1 : memref<?x4x?xf32>
}
