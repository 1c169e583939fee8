// test: canonical
func.func @known_extents(%t: tensor<4x?xf32>, %n: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<3x?xf32>
  %a = tensor.dim %t, %c0 : tensor<4x?xf32>
  %b = tensor.dim %t, %c1 : tensor<4x?xf32>
  %c = tensor.dim %e, %c1 : tensor<3x?xf32>
  %r = tensor.rank %t : tensor<4x?xf32>
  return %a, %b, %c, %r : index, index, index, index
}

func.func @extent_of_slice(%t: tensor<?x?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[0, %n] [%n, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %u = tensor.extract_slice %t[0, 0] [2, %n] [1, 1] : tensor<?x?xf32> to tensor<2x?xf32>
  %a = tensor.dim %s, %c0 : tensor<?xf32>
  %b = tensor.dim %u, %c1 : tensor<2x?xf32>
  return %a, %b : index, index
}

func.func @casts(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %b = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %c = tensor.cast %t : tensor<4xf32> to tensor<4xf32>
  return %b, %c : tensor<4xf32>, tensor<4xf32>
}

func.func @slices_know(%t: tensor<8x16xf32>, %n: index, %p: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = tensor.extract_slice %t[%c0, %n] [%c3, %n] [%c1, 1] : tensor<8x16xf32> to tensor<?x?xf32>
  %b = tensor.insert_slice %p into %t[%c1, 0] [%c3, %n] [1, 1] : tensor<?x?xf32> into tensor<8x16xf32>
  return %a, %b : tensor<?x?xf32>, tensor<8x16xf32>
}

func.func @all_of_it(%t: tensor<4x5xf32>, %u: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %a = tensor.extract_slice %t[0, 0] [4, 5] [1, 1] : tensor<4x5xf32> to tensor<4x5xf32>
  %b = tensor.insert_slice %t into %u[0, 0] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<4x5xf32>
  return %a, %b : tensor<4x5xf32>, tensor<4x5xf32>
}

func.func @elements(%x: f32, %y: f32, %i: index) -> (f32, i32, i32) {
  %c1 = arith.constant 1 : index
  %e = tensor.from_elements %x, %y : tensor<2xf32>
  %d = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %k = arith.constant dense<9> : tensor<3xi32>
  %a = tensor.extract %e[%c1] : tensor<2xf32>
  %c = tensor.extract %d[%c1, %c1] : tensor<2x2xi32>
  %f = tensor.extract %k[%i] : tensor<3xi32>
  return %a, %c, %f : f32, i32, i32
}

func.func @empty_knows(%n: index) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %e = tensor.empty(%n, %c2) : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}

func.func @slices_of_casts(%t: tensor<9x12xf32>, %u: tensor<?x12xf32>, %i: index)
    -> (tensor<2x5xf32>, tensor<?x5xf32>, tensor<2x5xf32>, tensor<10x5xf32>) {
  %0 = tensor.cast %t : tensor<9x12xf32> to tensor<?x12xf32>
  %1 = tensor.extract_slice %0[%i, 3] [2, 5] [2, 1] : tensor<?x12xf32> to tensor<2x5xf32>
  %2 = tensor.extract_slice %0[0, 7] [%i, 5] [1, 1] : tensor<?x12xf32> to tensor<?x5xf32>
  %3 = tensor.cast %u : tensor<?x12xf32> to tensor<?x?xf32>
  %4 = tensor.extract_slice %3[1, %i] [2, 5] [1, 1] : tensor<?x?xf32> to tensor<2x5xf32>
  %5 = tensor.extract_slice %0[0, %i] [10, 5] [1, 1] : tensor<?x12xf32> to tensor<10x5xf32>
  return %1, %2, %4, %5 : tensor<2x5xf32>, tensor<?x5xf32>, tensor<2x5xf32>, tensor<10x5xf32>
}
