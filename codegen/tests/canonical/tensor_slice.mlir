// test: canonical
func.func @of_copies() -> tensor<2xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %a = tensor.extract_slice %t[1][2][1] : tensor<4xf32> to tensor<2xf32>
  return %a : tensor<2xf32>
}

func.func @of_a_constant() -> tensor<2xf32> {
  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = tensor.extract_slice %t[1][2][1] : tensor<4xf32> to tensor<2xf32>
  return %a : tensor<2xf32>
}

func.func @just_put_there(%t: tensor<8xf32>, %s: tensor<2xf32>, %i: index) -> tensor<2xf32> {
  %r = tensor.insert_slice %s into %t[%i][2][1] : tensor<2xf32> into tensor<8xf32>
  %a = tensor.extract_slice %r[%i][2][1] : tensor<8xf32> to tensor<2xf32>
  return %a : tensor<2xf32>
}

func.func @put_back(%t: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %a = tensor.extract_slice %t[%i][2][1] : tensor<8xf32> to tensor<2xf32>
  %r = tensor.insert_slice %a into %t[%i][2][1] : tensor<2xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @over_everything(%t: tensor<8xf32>, %s: tensor<8xf32>) -> tensor<8xf32> {
  %r = tensor.insert_slice %s into %t[0][8][1] : tensor<8xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @written_over(%t: tensor<8xf32>, %s: tensor<2xf32>, %u: tensor<2xf32>, %i: index) -> tensor<8xf32> {
  %a = tensor.insert_slice %s into %t[%i][2][1] : tensor<2xf32> into tensor<8xf32>
  %r = tensor.insert_slice %u into %a[%i][2][1] : tensor<2xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @of_casts(%t: tensor<8xf32>, %s: tensor<2xf32>, %i: index) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %d = tensor.cast %s : tensor<2xf32> to tensor<?xf32>
  %a = tensor.insert_slice %d into %c[%i][%i][1] : tensor<?xf32> into tensor<?xf32>
  return %a : tensor<?xf32>
}

func.func @into_a_cast(%t: tensor<8xf32>, %s: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %a = tensor.insert_slice %s into %c[%i][%i][1] : tensor<?xf32> into tensor<?xf32>
  return %a : tensor<?xf32>
}

func.func @row_of_a_cast(%t: tensor<4x8xf32>, %i: index) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<4x8xf32> to tensor<?x?xf32>
  %a = tensor.extract_slice %c[%i, 0][1, %i][1, 1] : tensor<?x?xf32> to tensor<?xf32>
  return %a : tensor<?xf32>
}

func.func @of_a_slice(%t: tensor<8x8xf32>, %n: index) -> tensor<2x2xf32> {
  %e = tensor.extract_slice %t[1, 1][4, 4][1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %s = tensor.extract_slice %e[1, 0][2, 2][1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return %s : tensor<2x2xf32>
}

func.func @element_of_a_slice(%t: tensor<8x8xf32>, %n: index) -> f32 {
  %e = tensor.extract_slice %t[1, 1][4, 4][1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %s = tensor.extract %e[%n, %n] : tensor<4x4xf32>
  return %s : f32
}
