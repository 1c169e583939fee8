// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%t: tensor<4xf32>, %i: index) {
  // expected-error@+1 {{incorrect number of indices for extract_element}}
  %0 = tensor.extract %t[%i, %i] : tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<*xf32>, %i: index) {
  // expected-error@+1 {{'tensor.extract' op operand #0 must be ranked tensor of any type values, but got 'tensor<*xf32>'}}
  %0 = "tensor.extract"(%t, %i) : (tensor<*xf32>, index) -> f32
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %i: index) {
  // expected-error@+1 {{failed to verify that result type matches element type of tensor}}
  %0 = "tensor.extract"(%t, %i) : (tensor<4xf32>, index) -> f64
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %f: f32) {
  // expected-error@+1 {{'tensor.insert' op incorrect number of indices}}
  %0 = tensor.insert %f into %t[] : tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) {
  // expected-error@+1 {{failed to verify that result type matches type of dest}}
  %0 = "tensor.insert"(%f, %t, %i) : (f32, tensor<4xf32>, index) -> tensor<5xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %f: f64, %i: index) {
  // expected-error@+1 {{failed to verify that scalar type matches element type of dest}}
  %0 = "tensor.insert"(%f, %t, %i) : (f64, tensor<4xf32>, index) -> tensor<4xf32>
  return
}
// -----
func.func @f(%f: f32) {
  // expected-error@+1 {{failed to verify that operand types match result element type}}
  %0 = "tensor.from_elements"(%f) : (f32) -> tensor<2xf32>
  return
}
// -----
func.func @f(%f: f32) {
  // expected-error@+1 {{result #0 must be statically shaped tensor of any type values, but got 'tensor<?xf32>'}}
  %0 = "tensor.from_elements"(%f) : (f32) -> tensor<?xf32>
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{incorrect number of dynamic sizes, has 1, expected 2}}
  %0 = tensor.empty(%i) : tensor<?x?xf32>
  return
}
// -----
func.func @f(%i: index, %f: f32) {
  // expected-error@+1 {{incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = tensor.splat %f[%i] : tensor<4xf32>
  return
}
// -----
func.func @f(%f: f32) {
  // expected-error@+1 {{failed to verify that operand type matches element type of result}}
  %0 = "tensor.splat"(%f) : (f32) -> tensor<4xf64>
  return
}
// -----
func.func @f(%t: tensor<f32>, %i: index) {
  // expected-error@+1 {{operand #0 must be non-0-ranked or unranked tensor, but got 'tensor<f32>'}}
  %0 = tensor.dim %t, %i : tensor<f32>
  return
}
