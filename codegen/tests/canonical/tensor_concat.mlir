// test: canonical
func.func @one(%t: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %a = tensor.concat dim(0) %t : (tensor<8x16xi32>) -> tensor<8x16xi32>
  return %a : tensor<8x16xi32>
}

func.func @one_of_another_type(%t: tensor<8x16xi32>) -> tensor<?x16xi32> {
  %a = tensor.concat dim(0) %t : (tensor<8x16xi32>) -> tensor<?x16xi32>
  return %a : tensor<?x16xi32>
}

func.func @operands_know(%t: tensor<8x?xi32>, %s: tensor<4x16xi32>) -> tensor<?x16xi32> {
  %a = tensor.concat dim(0) %t, %s : (tensor<8x?xi32>, tensor<4x16xi32>) -> tensor<?x16xi32>
  return %a : tensor<?x16xi32>
}

func.func @result_knows(%t: tensor<8x16xi32>, %s: tensor<4x16xi32>) -> tensor<?x?xi32> {
  %a = tensor.concat dim(0) %t, %s : (tensor<8x16xi32>, tensor<4x16xi32>) -> tensor<?x?xi32>
  return %a : tensor<?x?xi32>
}
