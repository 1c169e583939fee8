// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{operand type 'tensor<4xf32>' and result type 'tensor<5xf32>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<4xf32> to tensor<5xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{operand type 'tensor<4xf32>' and result type 'tensor<4x?xf32>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<4xf32> to tensor<4x?xf32>
  return
}
// -----
func.func @f(%t: tensor<*xf32>) {
  // expected-error@+1 {{operand type 'tensor<*xf32>' and result type 'tensor<?xf64>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<*xf32> to tensor<?xf64>
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{operand type 'tensor<4xf32>' and result type 'tensor<4xi64>' are cast incompatible}}
  %0 = tensor.bitcast %t : tensor<4xf32> to tensor<4xi64>
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{operand type 'tensor<4xf32>' and result type 'tensor<3xi32>' are cast incompatible}}
  %0 = tensor.bitcast %t : tensor<4xf32> to tensor<3xi32>
  return
}
// -----
func.func @f(%t: tensor<4xindex>) {
  // expected-error@+1 {{operand #0 must be tensor of signless integer or unsigned integer or signed integer or floating-point values, but got 'tensor<4xindex>'}}
  %0 = tensor.bitcast %t : tensor<4xindex> to tensor<4xi64>
  return
}
