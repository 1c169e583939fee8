// test: canonical
func.func @collapsed_twice(%t: tensor<2x3x4x5xf32>) -> tensor<120xf32> {
  %a = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<2x3x4x5xf32> into tensor<6x20xf32>
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<6x20xf32> into tensor<120xf32>
  return %b : tensor<120xf32>
}

func.func @expanded_twice(%t: tensor<120xf32>) -> tensor<2x3x4x5xf32> {
  %a = tensor.expand_shape %t [[0, 1]] output_shape [6, 20] : tensor<120xf32> into tensor<6x20xf32>
  %b = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [2, 3, 4, 5] : tensor<6x20xf32> into tensor<2x3x4x5xf32>
  return %b : tensor<2x3x4x5xf32>
}

func.func @back(%t: tensor<6x20xf32>) -> tensor<6x20xf32> {
  %a = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [2, 3, 4, 5] : tensor<6x20xf32> into tensor<2x3x4x5xf32>
  %b = tensor.collapse_shape %a [[0, 1], [2, 3]] : tensor<2x3x4x5xf32> into tensor<6x20xf32>
  return %b : tensor<6x20xf32>
}

func.func @collapsed_further(%t: tensor<6x20xf32>) -> tensor<120xf32> {
  %a = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [2, 3, 4, 5] : tensor<6x20xf32> into tensor<2x3x4x5xf32>
  %b = tensor.collapse_shape %a [[0, 1, 2, 3]] : tensor<2x3x4x5xf32> into tensor<120xf32>
  return %b : tensor<120xf32>
}

func.func @expanded_less(%t: tensor<6x20xf32>) -> tensor<6x4x5xf32> {
  %a = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [2, 3, 4, 5] : tensor<6x20xf32> into tensor<2x3x4x5xf32>
  %b = tensor.collapse_shape %a [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
  return %b : tensor<6x4x5xf32>
}

func.func @forth(%t: tensor<2x3x20xf32>) -> tensor<2x3x20xf32> {
  %a = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x20xf32> into tensor<6x20xf32>
  %b = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 3, 20] : tensor<6x20xf32> into tensor<2x3x20xf32>
  return %b : tensor<2x3x20xf32>
}

func.func @expanded_further(%t: tensor<2x3x20xf32>) -> tensor<2x3x4x5xf32> {
  %a = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x20xf32> into tensor<6x20xf32>
  %b = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [2, 3, 4, 5] : tensor<6x20xf32> into tensor<2x3x4x5xf32>
  return %b : tensor<2x3x4x5xf32>
}

func.func @collapsed_less(%t: tensor<2x3x20xf32>) -> tensor<6x20xf32> {
  %a = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x3x20xf32> into tensor<120xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [6, 20] : tensor<120xf32> into tensor<6x20xf32>
  return %b : tensor<6x20xf32>
}

func.func @one_unknown_extent(%t: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %a = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %b : tensor<?x4xf32>
}

func.func @unknown_back(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %b = tensor.expand_shape %t [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %a = tensor.collapse_shape %b [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  return %a : tensor<?xf32>
}

func.func @other_extents(%t: tensor<?x4x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %a = tensor.collapse_shape %t [[0, 1, 2]] : tensor<?x4x?xf32> into tensor<?xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}

func.func @unknown_collapsed_twice(%t: tensor<?x3x?x5xf32>) -> tensor<?xf32> {
  %a = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<?x3x?x5xf32> into tensor<?x?xf32>
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %b : tensor<?xf32>
}

func.func @unknown_expanded_twice(%t: tensor<?xf32>, %m: index, %n: index) -> tensor<?x3x?x5xf32> {
  %a = tensor.expand_shape %t [[0, 1]] output_shape [%m, %n] : tensor<?xf32> into tensor<?x?xf32>
  %b = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [%m, 3, %n, 5] : tensor<?x?xf32> into tensor<?x3x?x5xf32>
  return %b : tensor<?x3x?x5xf32>
}

func.func @same_rank(%t: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %b = tensor.expand_shape %t [[0], [1]] output_shape [%n, 4] : tensor<?x4xf32> into tensor<?x4xf32>
  return %b : tensor<?x4xf32>
}

func.func @nothing_to_collapse(%t: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %b = tensor.collapse_shape %t [[0], [1]] : tensor<?x4xf32> into tensor<?x4xf32>
  return %b : tensor<?x4xf32>
}

func.func @moved_unit(%t: tensor<1x1x4xf32>) -> tensor<4x1xf32> {
  %a = tensor.collapse_shape %t [[0, 1, 2]] : tensor<1x1x4xf32> into tensor<4xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  return %b : tensor<4x1xf32>
}

func.func @reshaped_twice(%t: tensor<4xf32>, %s: tensor<2xindex>, %s1: tensor<1xindex>) -> tensor<4xf32> {
  %r = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  %q = tensor.reshape %r(%s1) : (tensor<2x2xf32>, tensor<1xindex>) -> tensor<4xf32>
  return %q : tensor<4xf32>
}

func.func @of_its_own_size(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %s = tensor.from_elements %d : tensor<1xindex>
  %r = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @of_its_own_sizes(%t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<?x?xf32>
  %e = tensor.dim %t, %c1 : tensor<?x?xf32>
  %s = tensor.from_elements %d, %e : tensor<2xindex>
  %r = tensor.reshape %t(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @one_dimension(%t: tensor<4xf32>, %s: tensor<1xindex>) -> tensor<4xf32> {
  %r = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<1xindex>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @constant(%s: tensor<2xindex>) -> tensor<2x2xf32> {
  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
