// test: canonical
func.func @of_a_cast(%t: tensor<4x?xi32>) -> tensor<?x8xi32> {
  %a = tensor.cast %t : tensor<4x?xi32> to tensor<?x?xi32>
  %b = tensor.cast %a : tensor<?x?xi32> to tensor<?x8xi32>
  return %b : tensor<?x8xi32>
}

func.func @back(%t: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %a = tensor.cast %t : tensor<4x?xi32> to tensor<?x?xi32>
  %b = tensor.cast %a : tensor<?x?xi32> to tensor<4x?xi32>
  return %b : tensor<4x?xi32>
}

func.func @says_more_between(%t: tensor<?x?xi32>) -> tensor<?x8xi32> {
  %a = tensor.cast %t : tensor<?x?xi32> to tensor<4x8xi32>
  %b = tensor.cast %a : tensor<4x8xi32> to tensor<?x8xi32>
  return %b : tensor<?x8xi32>
}

func.func @to_unranked(%t: tensor<?x?xi32>) -> tensor<*xi32> {
  %a = tensor.cast %t : tensor<?x?xi32> to tensor<4x?xi32>
  %b = tensor.cast %a : tensor<4x?xi32> to tensor<*xi32>
  return %b : tensor<*xi32>
}

func.func @through_a_known_rank(%t: tensor<*xf32>) -> (index) {
  %t1 = tensor.cast %t : tensor<*xf32> to tensor<?xf32>
  %t2 = tensor.cast %t1 : tensor<?xf32> to tensor<*xf32>
  %a = tensor.rank %t2 : tensor<*xf32>
  return %a: index
}

func.func @of_a_slice(%t: tensor<8x16xi32>, %n: index) -> tensor<2x4xi32> {
  %a = tensor.extract_slice %t[0, %n] [2, %n] [1, 1] : tensor<8x16xi32> to tensor<2x?xi32>
  %b = tensor.cast %a : tensor<2x?xi32> to tensor<2x4xi32>
  return %b : tensor<2x4xi32>
}

func.func @of_a_row(%t: tensor<8x16xi32>, %n: index) -> tensor<4xi32> {
  %a = tensor.extract_slice %t[0, %n] [1, %n] [1, 1] : tensor<8x16xi32> to tensor<?xi32>
  %b = tensor.cast %a : tensor<?xi32> to tensor<4xi32>
  return %b : tensor<4xi32>
}

func.func @of_empty(%n: index) -> tensor<4x5xf32> {
  %t1 = tensor.empty(%n) : tensor<4x?xf32>
  %t2 = tensor.cast %t1 : tensor<4x?xf32> to tensor<4x5xf32>
  return %t2 : tensor<4x5xf32>
}

func.func @of_empty_in_part(%n: index, %m: index) -> tensor<?x5xf32> {
  %t1 = tensor.empty(%m, %n) : tensor<?x?xf32>
  %t2 = tensor.cast %t1 : tensor<?x?xf32> to tensor<?x5xf32>
  return %t2 : tensor<?x5xf32>
}

func.func @bits_of_bits(%t: tensor<4xi32>) -> tensor<4xf32> {
  %a = tensor.bitcast %t : tensor<4xi32> to tensor<4xui32>
  %b = tensor.bitcast %a : tensor<4xui32> to tensor<4xf32>
  return %b : tensor<4xf32>
}

func.func @same_bits(%t: tensor<4xi32>) -> tensor<4xi32> {
  %a = tensor.bitcast %t : tensor<4xi32> to tensor<4xi32>
  return %a : tensor<4xi32>
}

func.func @element(%t: tensor<4x4xf32>, %i: index) -> (f32) {
  %c = tensor.cast %t : tensor<4x4xf32> to tensor<?x?xf32>
  %b = tensor.extract %c[%i, %i] : tensor<?x?xf32>
  return %b : f32
}

func.func @element_of_unranked(%t: tensor<*xf32>, %i: index) -> (f32) {
  %c = tensor.cast %t : tensor<*xf32> to tensor<?x?xf32>
  %b = tensor.extract %c[%i, %i] : tensor<?x?xf32>
  return %b : f32
}

func.func @collapsed(%t: tensor<4x3xf32>) -> tensor<?xf32> {
  %a = tensor.cast %t : tensor<4x3xf32> to tensor<?x3xf32>
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
  return %b : tensor<?xf32>
}

func.func @collapsed_in_part(%t: tensor<4x3x?xf32>) -> tensor<?x?xf32> {
  %a = tensor.cast %t : tensor<4x3x?xf32> to tensor<?x?x?xf32>
  %b = tensor.collapse_shape %a [[0, 1], [2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}

func.func @expanded(%t: tensor<12xf32>) -> tensor<?x3xf32> {
  %c4 = arith.constant 4 : index
  %a = tensor.cast %t : tensor<12xf32> to tensor<?xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [%c4, 3] : tensor<?xf32> into tensor<?x3xf32>
  return %b : tensor<?x3xf32>
}

func.func @expanded_unknown(%t: tensor<?xf32>) -> tensor<?x3xf32> {
  %c4 = arith.constant 4 : index
  %b = tensor.expand_shape %t [[0, 1]] output_shape [%c4, 3] : tensor<?xf32> into tensor<?x3xf32>
  return %b : tensor<?x3xf32>
}

func.func @expanded_where_known(%t: tensor<?x?xf32>, %n: index) -> tensor<?x3x?xf32> {
  %c4 = arith.constant 4 : index
  %a = tensor.cast %t : tensor<?x?xf32> to tensor<12x?xf32>
  %a1 = tensor.cast %a : tensor<12x?xf32> to tensor<?x?xf32>
  %b = tensor.expand_shape %a1 [[0, 1], [2]] output_shape [%c4, 3, %n] : tensor<?x?xf32> into tensor<?x3x?xf32>
  return %b : tensor<?x3x?xf32>
}
