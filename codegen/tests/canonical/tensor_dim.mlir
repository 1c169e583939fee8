// test: canonical
func.func @after_a_slice(%t: tensor<?x?xi32>, %s: tensor<2x2xi32>, %n: index) -> (index) {
  %c0 = arith.constant 0 : index
  %r = tensor.insert_slice %s into %t[0, 0][2, 2][1, 1] : tensor<2x2xi32> into tensor<?x?xi32>
  %a = tensor.dim %r, %c0 : tensor<?x?xi32>
  return %a: index
}

func.func @after_an_element(%t: tensor<?x?xi32>, %s: i32, %n: index) -> (index) {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %s into %t[%n, %n] : tensor<?x?xi32>
  %a = tensor.dim %r, %c0 : tensor<?x?xi32>
  return %a: index
}

func.func @of_a_cast(%t: tensor<?x4xi32>) -> (index) {
  %c0 = arith.constant 0 : index
  %r = tensor.cast %t : tensor<?x4xi32> to tensor<?x?xi32>
  %a = tensor.dim %r, %c0 : tensor<?x?xi32>
  return %a: index
}

func.func @of_generated(%n: index, %x: f32) -> (index) {
  %c0 = arith.constant 0 : index
  %r = tensor.generate %n { ^bb0(%i: index): tensor.yield %x : f32 } : tensor<?xf32>
  %a = tensor.dim %r, %c0 : tensor<?xf32>
  return %a: index
}

func.func @collapsed(%t: tensor<?x4x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x4x?xf32> into tensor<?x?xf32>
  %a = tensor.dim %r, %c0 : tensor<?x?xf32>
  %b = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %a, %b: index, index
}

func.func @expanded(%t: tensor<?x?xf32>, %n: index, %m: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r = tensor.expand_shape %t [[0, 1], [2]] output_shape [%n, 4, %m] : tensor<?x?xf32> into tensor<?x4x?xf32>
  %a = tensor.dim %r, %c0 : tensor<?x4x?xf32>
  %b = tensor.dim %r, %c2 : tensor<?x4x?xf32>
  return %a, %b: index, index
}

func.func @listed(%t: tensor<*xf32>, %s: tensor<3xindex>, %k: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %r = tensor.reshape %t(%s) : (tensor<*xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %a = tensor.dim %r, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %r, %k : tensor<?x?x?xf32>
  return %a, %b: index, index
}

func.func @listed_in_few_bits(%t: tensor<*xf32>, %s: tensor<3xi32>, %k: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %r = tensor.reshape %t(%s) : (tensor<*xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %a = tensor.dim %r, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %r, %k : tensor<?x?x?xf32>
  return %a, %b: index, index
}

func.func @padded(%t: tensor<?x?xf32>, %n: index, %x: f32) -> (index) {
  %c0 = arith.constant 0 : index
  %r = tensor.pad %t low[0, %n] high[%n, 0] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<?x?xf32> to tensor<?x?xf32>
  %a = tensor.dim %r, %c0 : tensor<?x?xf32>
  return %a: index
}

func.func @of_copies(%n: index, %x: f32) -> (index) {
  %c0 = arith.constant 0 : index
  %r = tensor.splat %x[%n] : tensor<?xf32>
  %a = tensor.dim %r, %c0 : tensor<?xf32>
  return %a: index
}

func.func @rank_reduced(%t: tensor<?x?x?xi32>, %n: index, %m: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[0, 0, 0][%n, 1, %m][1, 1, 1] : tensor<?x?x?xi32> to tensor<?x?xi32>
  %a = tensor.dim %s, %c0 : tensor<?x?xi32>
  %b = tensor.dim %s, %c1 : tensor<?x?xi32>
  return %a, %b : index, index
}

func.func @of_empty(%t: tensor<?x4xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<?x4xf32>
  %e1 = tensor.dim %t, %c1 : tensor<?x4xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %f = tensor.empty(%e1) : tensor<?xf32>
  return %e, %f : tensor<?xf32>, tensor<?xf32>
}
