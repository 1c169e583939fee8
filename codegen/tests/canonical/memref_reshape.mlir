// test: canonical
func.func @collapsed(%m: memref<2x3x4x5xf32>, %d: memref<?x4x5xf32>) -> (memref<120xf32>, memref<?xf32>, memref<6x20xf32>) {
  %a = memref.collapse_shape %m [[0, 1], [2, 3]] : memref<2x3x4x5xf32> into memref<6x20xf32>
  %0 = memref.collapse_shape %a [[0, 1]] : memref<6x20xf32> into memref<120xf32>
  %b = memref.collapse_shape %d [[0, 1], [2]] : memref<?x4x5xf32> into memref<?x5xf32>
  %1 = memref.collapse_shape %b [[0, 1]] : memref<?x5xf32> into memref<?xf32>
  return %0, %1, %a : memref<120xf32>, memref<?xf32>, memref<6x20xf32>
}

func.func @expanded(%m: memref<120xf32>) -> (memref<2x3x4x5xf32>, memref<120xf32>) {
  %a = memref.expand_shape %m [[0, 1]] output_shape [6, 20] : memref<120xf32> into memref<6x20xf32>
  %0 = memref.expand_shape %a [[0, 1], [2, 3]] output_shape [2, 3, 4, 5] : memref<6x20xf32> into memref<2x3x4x5xf32>
  %1 = memref.collapse_shape %0 [[0, 1, 2, 3]] : memref<2x3x4x5xf32> into memref<120xf32>
  return %0, %1 : memref<2x3x4x5xf32>, memref<120xf32>
}

func.func @collapsed_again(%m: memref<6x20xf32>) -> (memref<6x4x5xf32>, memref<24x5xf32>) {
  %a = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 3, 4, 5] : memref<6x20xf32> into memref<2x3x4x5xf32>
  %0 = memref.collapse_shape %a [[0, 1], [2], [3]] : memref<2x3x4x5xf32> into memref<6x4x5xf32>
  %1 = memref.collapse_shape %a [[0, 1, 2], [3]] : memref<2x3x4x5xf32> into memref<24x5xf32>
  return %0, %1 : memref<6x4x5xf32>, memref<24x5xf32>
}

func.func @expanded_again(%m: memref<2x3x4xf32>) -> (memref<2x3x4xf32>, memref<2x12xf32>) {
  %a = memref.collapse_shape %m [[0, 1, 2]] : memref<2x3x4xf32> into memref<24xf32>
  %0 = memref.expand_shape %a [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xf32> into memref<2x3x4xf32>
  %1 = memref.expand_shape %a [[0, 1]] output_shape [2, 12] : memref<24xf32> into memref<2x12xf32>
  return %0, %1 : memref<2x3x4xf32>, memref<2x12xf32>
}

func.func @through_cast(%m: memref<2x3xf32>) -> (memref<?xf32>, memref<?x?x?xf32>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c = memref.cast %m : memref<2x3xf32> to memref<?x?xf32>
  %0 = memref.collapse_shape %c [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %1 = memref.expand_shape %c [[0, 1], [2]] output_shape [%c0, %c1, %c3] : memref<?x?xf32> into memref<?x?x?xf32>
  return %0, %1 : memref<?xf32>, memref<?x?x?xf32>
}

func.func @sizes(%m: memref<?x4xf32>, %n: index) -> memref<?x?x4xf32> {
  %c2 = arith.constant 2 : index
  %1 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, %c2, 4] : memref<?x4xf32> into memref<?x?x4xf32>
  return %1 : memref<?x?x4xf32>
}
