// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%t: tensor<4x2xf32>) {
  // expected-error@+1 {{expected the expanded type, 'tensor<4x2xf32>' to have a higher (or same) rank than the collapsed type, 'tensor<2x2x2xf32>'.}}
  %0 = tensor.collapse_shape %t [[0], [1]] : tensor<4x2xf32> into tensor<2x2x2xf32>
  return
}
// -----
func.func @f(%t: tensor<4x2xf32>) {
  // expected-error@+1 {{expected collapsed rank (1) to equal the number of reassociation maps (2).}}
  %0 = tensor.collapse_shape %t [[0], [1]] : tensor<4x2xf32> into tensor<8xf32>
  return
}
// -----
func.func @f(%t: tensor<4x2xf32>) {
  // expected-error@+1 {{expected reassociation map #0 to have size equal to the expanded rank (2), but it is  3.}}
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<4x2xf32> into tensor<8xf32>
  return
}
// -----
func.func @f(%t: tensor<4x2x3xf32>) {
  // expected-error@+1 {{expected reassociation map #1 to be valid and contiguous.}}
  %0 = tensor.collapse_shape %t [[0], [2, 1]] : tensor<4x2x3xf32> into tensor<4x6xf32>
  return
}
// -----
func.func @f(%t: tensor<4x?xf32>) {
  // expected-error@+1 {{expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x?xf32> into tensor<8xf32>
  return
}
// -----
func.func @f(%t: tensor<4x2xf32>) {
  // expected-error@+1 {{expected dimension 0 of collapsed type to be static value of 8}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x2xf32> into tensor<?xf32>
  return
}
// -----
func.func @f(%t: tensor<4x2xf32>) {
  // expected-error@+1 {{expected collapsed type to be 'tensor<8xf32>', but got 'tensor<8xf64>'}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x2xf32> into tensor<8xf64>
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  // expected-error@+1 {{expected number of static shape dims to be equal to the output rank (2) but found 1 inputs instead}}
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [4] : tensor<8xf32> into tensor<4x2xf32>
  return
}
// -----
func.func @f(%t: tensor<?xf32>, %n: index) {
  // expected-error@+1 {{mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has 1 dynamic dims while output_shape has 2 values}}
  %0 = "tensor.expand_shape"(%t, %n, %n) <{reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, 4>}> : (tensor<?xf32>, index, index) -> tensor<?x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  // expected-error@+1 {{expected dimension 0 of collapsed type to be static value of 6}}
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [3, 2] : tensor<8xf32> into tensor<3x2xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>, %s: tensor<1xi32>) {
  // expected-error@+1 {{element types of source and destination tensor types should be the same}}
  %0 = tensor.reshape %t(%s) : (tensor<8xf32>, tensor<1xi32>) -> tensor<8xf64>
  return
}
// -----
func.func @f(%t: tensor<8xf32>, %s: tensor<1xi32>) {
  // expected-error@+1 {{source and destination tensor should have the same number of elements}}
  %0 = tensor.reshape %t(%s) : (tensor<8xf32>, tensor<1xi32>) -> tensor<7xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>, %s: tensor<?xi32>) {
  // expected-error@+1 {{cannot use shape operand with dynamic length to reshape to statically-ranked tensor type}}
  %0 = tensor.reshape %t(%s) : (tensor<8xf32>, tensor<?xi32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>, %s: tensor<2xi32>) {
  // expected-error@+1 {{length of shape operand differs from the result's tensor rank}}
  %0 = tensor.reshape %t(%s) : (tensor<8xf32>, tensor<2xi32>) -> tensor<8xf32>
  return
}
