// test: canonical
func.func @listed(%x: f32, %y: f32, %i: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.from_elements %x, %y, %y, %x : tensor<2x2xf32>
  %a = tensor.extract %t[%c1, %c0] : tensor<2x2xf32>
  %b = tensor.extract %t[%i, %c0] : tensor<2x2xf32>
  return %a, %b : f32, f32
}

func.func @just_inserted(%t: tensor<4x4xf32>, %x: f32, %i: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = tensor.insert %x into %t[%i, %i] : tensor<4x4xf32>
  %b = tensor.extract %c[%i, %i] : tensor<4x4xf32>
  %d = tensor.insert %x into %t[%c0, %c1] : tensor<4x4xf32>
  %e = tensor.extract %d[%c0, %c1] : tensor<4x4xf32>
  return %b, %e : f32, f32
}

func.func @generated(%n: index, %i: index, %t: tensor<?xf32>) -> (f32) {
  %r = tensor.generate %n { ^bb0(%k: index): 
    %x = tensor.extract %t[%k] : tensor<?xf32>
    %y = arith.addf %x, %x : f32
    tensor.yield %y : f32 } : tensor<?xf32>
  %b = tensor.extract %r[%i] : tensor<?xf32>
  return %b : f32
}

func.func @copied(%x: f32, %i: index) -> (f32) {
  %t = tensor.splat %x : tensor<2x2xf32>
  %b = tensor.extract %t[%i, %i] : tensor<2x2xf32>
  return %b : f32
}

func.func @collapsed(%t: tensor<2x3x4xf32>, %i: index, %j: index) -> (f32) {
  %r = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %b = tensor.extract %r[%i, %j] : tensor<6x4xf32>
  return %b : f32
}

func.func @constants() -> (tensor<2xf32>) {
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %t = tensor.from_elements %x, %y : tensor<2xf32>
  return %t : tensor<2xf32>
}

func.func @index_cast(%t: tensor<3xi32>) -> index {
  %c = arith.constant 1 : index
  %a = arith.index_cast %t : tensor<3xi32> to tensor<3xindex>
  %b = tensor.extract %a[%c] : tensor<3xindex>
  return %b : index
}

func.func @as_it_was() -> tensor<3xi32> {
  %c = arith.constant 1 : index
  %x = arith.constant 1 : i32
  %t = arith.constant dense<1> : tensor<3xi32>
  %b = tensor.insert %x into %t[%c] : tensor<3xi32>
  return %b : tensor<3xi32>
}

func.func @known_extents(%x: f32) -> tensor<?x4xf32> {
  %n = arith.constant 5 : index
  %r = tensor.generate %n { ^bb0(%k: index, %l: index): tensor.yield %x : f32 } : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

func.func @copies_of_a_constant() -> tensor<4xf32> {
  %x = arith.constant 1.0 : f32
  %r = tensor.splat %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @unknown_copies(%n: index) -> tensor<?xf32> {
  %x = arith.constant 1.0 : f32
  %r = tensor.splat %x[%n] : tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @gathered_copies(%i: tensor<2x1xindex>) -> tensor<2xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %r = tensor.gather %t[%i] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xindex>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
