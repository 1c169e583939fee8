// test: canonical
func.func @copies() -> tensor<6xf32> {
  %t = arith.constant dense<2.0> : tensor<2x3xf32>
  %b = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %b : tensor<6xf32>
}

func.func @constant() -> tensor<4xi32> {
  %t = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = tensor.collapse_shape %t [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  return %b : tensor<4xi32>
}

func.func @expanded_copies() -> tensor<2x3xf32> {
  %t = arith.constant dense<2.0> : tensor<6xf32>
  %b = tensor.expand_shape %t [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}

func.func @collapsed_splat(%x: f32) -> tensor<6xf32> {
  %t = tensor.splat %x : tensor<2x3xf32>
  %b = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %b : tensor<6xf32>
}

func.func @expanded_splat(%x: f32) -> tensor<2x3xf32> {
  %t = tensor.splat %x : tensor<6xf32>
  %b = tensor.expand_shape %t [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}

func.func @unknown_splat(%x: f32, %n: index) -> tensor<?xf32> {
  %t = tensor.splat %x[%n] : tensor<?x3xf32>
  %b = tensor.collapse_shape %t [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
  return %b : tensor<?xf32>
}

func.func @collapsed_list(%x: f32, %y: f32) -> tensor<4xf32> {
  %t = tensor.from_elements %x, %y, %y, %y : tensor<2x2xf32>
  %b = tensor.collapse_shape %t [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  return %b : tensor<4xf32>
}

func.func @expanded_list(%x: f32, %y: f32) -> tensor<2x2xf32> {
  %t = tensor.from_elements %x, %y, %y, %y : tensor<4xf32>
  %b = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %b : tensor<2x2xf32>
}
