// test: canonical
func.func @first_group(%t: tensor<?x?xf32>, %a: index, %b: index, %c: index) -> tensor<?x?x4xf32> {
  %0 = tensor.expand_shape %t [[0, 1, 2], [3, 4]] output_shape [%a, %b, 3, %c, 4] : tensor<?x?xf32> into tensor<?x?x3x?x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2], [3], [4]] : tensor<?x?x3x?x4xf32> into tensor<?x?x4xf32>
  return %1 : tensor<?x?x4xf32>
}

func.func @inner_groups(%t: tensor<?x?xf32>, %a: index, %b: index, %c: index) -> tensor<?x3x?xf32> {
  %0 = tensor.expand_shape %t [[0, 1, 2], [3, 4]] output_shape [%a, %b, 3, %c, 4] : tensor<?x?xf32> into tensor<?x?x3x?x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2], [3, 4]] : tensor<?x?x3x?x4xf32> into tensor<?x3x?xf32>
  return %1 : tensor<?x3x?xf32>
}

func.func @of_one(%t: tensor<?x?xf32>, %a: index, %c: index) -> tensor<?x3x?xf32> {
  %0 = tensor.expand_shape %t [[0, 1, 2], [3, 4]] output_shape [%a, 1, 3, %c, 4] : tensor<?x?xf32> into tensor<?x1x3x?x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2], [3, 4]] : tensor<?x1x3x?x4xf32> into tensor<?x3x?xf32>
  return %1 : tensor<?x3x?xf32>
}

func.func @around(%t: tensor<2x?x6xf32>, %n: index) -> tensor<2x?x2x3xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x?x6xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2, 3]] output_shape [2, %n, 2, 3] : tensor<?xf32> into tensor<2x?x2x3xf32>
  return %1 : tensor<2x?x2x3xf32>
}

func.func @collapsed_before(%t: tensor<2x3x?x6xf32>, %n: index) -> tensor<6x?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2, 3]] : tensor<2x3x?x6xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [6, %n] : tensor<?xf32> into tensor<6x?xf32>
  return %1 : tensor<6x?xf32>
}

func.func @two_unknown(%t: tensor<?x?x6xf32>, %n: index) -> tensor<?x6xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<?x?x6xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, 6] : tensor<?xf32> into tensor<?x6xf32>
  return %1 : tensor<?x6xf32>
}

func.func @unit_in_between(%t: tensor<?x1x6xf32>, %n: index) -> tensor<?x6xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<?x1x6xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, 6] : tensor<?xf32> into tensor<?x6xf32>
  return %1 : tensor<?x6xf32>
}

func.func @fewer_elements(%t: tensor<?x8xf32>, %n: index) -> tensor<?x2xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

func.func @expanded_after(%t: tensor<?x8xf32>, %n: index) -> tensor<?x2x2xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [%n, 2, 2] : tensor<?xf32> into tensor<?x2x2xf32>
  return %1 : tensor<?x2x2xf32>
}

func.func @units_before(%t: tensor<1x1x?xf32>, %n: index) -> tensor<1x?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<1x1x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, %n] : tensor<?xf32> into tensor<1x?xf32>
  return %1 : tensor<1x?xf32>
}

func.func @units_after(%t: tensor<?x1x1xf32>, %n: index) -> tensor<?x1xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<?x1x1xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %1 : tensor<?x1xf32>
}

func.func @two_groups(%t: tensor<?x4x?x2x3xf32>, %n: index, %m: index) -> tensor<?x2x2x?x6xf32> {
  %0 = tensor.collapse_shape %t [[0, 1], [2, 3, 4]] : tensor<?x4x?x2x3xf32> into tensor<?x?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2], [3, 4]] output_shape [%n, 2, 2, %m, 6] : tensor<?x?xf32> into tensor<?x2x2x?x6xf32>
  return %1 : tensor<?x2x2x?x6xf32>
}

func.func @units_everywhere(%t: tensor<?x1x6x1xf32>, %n: index) -> tensor<?x6xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2, 3]] : tensor<?x1x6x1xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, 6] : tensor<?xf32> into tensor<?x6xf32>
  return %1 : tensor<?x6xf32>
}

func.func @times_a_number(%t: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x4x?xf32> {
  %a = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [%n, 4, %m, 2] : tensor<?x?xf32> into tensor<?x4x?x2xf32>
  %b = tensor.collapse_shape %a [[0], [1], [2, 3]] : tensor<?x4x?x2xf32> into tensor<?x4x?xf32>
  return %b : tensor<?x4x?xf32>
}

func.func @expanded_in_the_middle(%t: tensor<?x4x?xf32>, %n: index, %m: index) -> tensor<?x2x2x?xf32> {
  %a = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x4x?xf32> into tensor<?x?xf32>
  %b = tensor.expand_shape %a [[0, 1, 2], [3]] output_shape [%n, 2, 2, %m] : tensor<?x?xf32> into tensor<?x2x2x?xf32>
  return %b : tensor<?x2x2x?xf32>
}

func.func @collapsed_in_the_middle(%t: tensor<?x2x2x?xf32>, %n: index, %m: index) -> tensor<?x4x?xf32> {
  %a = tensor.collapse_shape %t [[0, 1, 2], [3]] : tensor<?x2x2x?xf32> into tensor<?x?xf32>
  %b = tensor.expand_shape %a [[0, 1], [2]] output_shape [%n, 4, %m] : tensor<?x?xf32> into tensor<?x4x?xf32>
  return %b : tensor<?x4x?xf32>
}

func.func @collapsed_at_the_end(%t: tensor<?x2x3xf32>, %n: index) -> tensor<?x6xf32> {
  %a = tensor.collapse_shape %t [[0, 1, 2]] : tensor<?x2x3xf32> into tensor<?xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [%n, 6] : tensor<?xf32> into tensor<?x6xf32>
  return %b : tensor<?x6xf32>
}
