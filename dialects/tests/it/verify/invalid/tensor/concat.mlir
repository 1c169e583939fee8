// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{requires at least one input}}
  %0 = tensor.concat dim(0) : () -> tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %u: tensor<4x4xf32>) {
  // expected-error@+1 {{rank of concatenated inputs must match result rank}}
  %0 = tensor.concat dim(0) %t, %u : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{inputs and result element type must match}}
  %0 = tensor.concat dim(0) %t : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{concatenation dim must be less than the tensor rank}}
  %0 = tensor.concat dim(1) %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<4x3xf32>, %u: tensor<4x2xf32>) {
  // expected-error@+1 {{static concatenation size mismatch along non-concatenated dimension 1}}
  %0 = tensor.concat dim(0) %t, %u : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<8x3xf32>
  return
}
// -----
func.func @f(%t: tensor<4x3xf32>) {
  // expected-error@+1 {{result type 'tensor<7x3xf32>'does not match inferred shape 'tensor<8x3xf32>' static sizes}}
  %0 = tensor.concat dim(0) %t, %t : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<7x3xf32>
  return
}
