// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>) {
  // expected-error@+1 {{gather_dims must be non-empty}}
  %0 = tensor.gather %t[%i] gather_dims([]) : (tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<5x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>) {
  // expected-error@+1 {{gather_dims overflow source rank}}
  %0 = tensor.gather %t[%i] gather_dims([0, 1, 2]) : (tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<5x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>) {
  // expected-error@+1 {{gather_dims length must match the size of last dimension of indices}}
  %0 = tensor.gather %t[%i] gather_dims([0, 1]) : (tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<5x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>) {
  // expected-error@+1 {{gather_dims value must be non-negative}}
  %0 = tensor.gather %t[%i] gather_dims([-1]) : (tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<5x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>) {
  // expected-error@+1 {{gather_dims value must be smaller than source rank}}
  %0 = tensor.gather %t[%i] gather_dims([2]) : (tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<5x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x2xindex>) {
  // expected-error@+1 {{gather_dims values must be strictly increasing}}
  %0 = tensor.gather %t[%i] gather_dims([1, 0]) : (tensor<8x4xf32>, tensor<5x2xindex>) -> tensor<5x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>) {
  // expected-error@+1 {{result type mismatch: expected 'tensor<5x1x4xf32>' or its rank-reduced variant 'tensor<5x4xf32>' (got: 'tensor<4x4xf32>')}}
  %0 = tensor.gather %t[%i] gather_dims([0]) : (tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>, %s: tensor<5x4xf32>) {
  // expected-error@+1 {{scatter_dims must be non-empty}}
  %0 = tensor.scatter %s into %t[%i] scatter_dims([]) unique : (tensor<5x4xf32>, tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>, %s: tensor<5x4xf32>) {
  // expected-error@+1 {{scatter_dims overflow dest rank}}
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0, 1, 2]) unique : (tensor<5x4xf32>, tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>, %s: tensor<5x4xf32>) {
  // expected-error@+1 {{requires 'unique' attribute to be set}}
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) : (tensor<5x4xf32>, tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x4xf32>, %i: tensor<5x1xindex>, %s: tensor<4x4xf32>) {
  // expected-error@+1 {{source type mismatch: expected 'tensor<5x1x4xf32>' or its rank-reduced variant 'tensor<5x4xf32>' (got: 'tensor<4x4xf32>')}}
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<4x4xf32>, tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<8x4xf32>
  return
}
