// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%n: index, %f: f32) {
  // expected-error@+1 {{incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.generate  {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<?xf32>
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  // expected-error@+1 {{all body arguments must be index}}
  %0 = tensor.generate %n {
  ^bb0(%i: i64):
    tensor.yield %f : f32
  } : tensor<?xf32>
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  // expected-error@+1 {{must have one body argument per input dimension}}
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?xf32>
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  // expected-error@+1 {{body must be terminated with a `yield` operation of the tensor element type}}
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %n : index
  } : tensor<?xf32>
  return
}
// -----
func.func @f(%t: tensor<4x4xf32>, %n: index, %f: f32) {
  // expected-error@+1 {{failed to infer expectedType from sourceType 'tensor<4x4xf32>', specified resultType is 'tensor<5x5xf32>'}}
  %0 = tensor.pad %t low[1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<5x5xf32>
  return
}
// -----
func.func @f(%t: tensor<4x4xf32>, %n: index, %f: f32) {
  // expected-error@+1 {{specified type 'tensor<5x5xf32>' does not match the inferred type 'tensor<5x6xf32>'}}
  %0 = tensor.pad %t low[1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<5x5xf32>
  return
}
// -----
func.func @f(%t: tensor<4x4xf32>, %n: index, %f: f32) {
  // expected-error@+1 {{specified type 'tensor<5xf32>' does not match the inferred type 'tensor<5x6xf32>'}}
  %0 = tensor.pad %t low[1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<5xf32>
  return
}
// -----
func.func @f(%t: tensor<4x4xf32>, %n: index, %f: f32) {
  // expected-error@+1 {{expected the block to have 2 arguments}}
  %0 = tensor.pad %t low[1, 1] high[0, 1] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<5x6xf32>
  return
}
// -----
func.func @f(%t: tensor<4x4xf32>, %n: index, %f: f32) {
  // expected-error@+1 {{expected block argument 2 to be an index}}
  %0 = tensor.pad %t low[1, 1] high[0, 1] {
  ^bb0(%i: index, %j: i64):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<5x6xf32>
  return
}
// -----
func.func @f(%t: tensor<4x4xf32>, %n: index, %f: f32) {
  // expected-error@+1 {{expected yield type to match shape element type}}
  %0 = tensor.pad %t low[1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %n : index
  } : tensor<4x4xf32> to tensor<5x6xf32>
  return
}
// -----
func.func @f(%f: f32) {
  // expected-error@+1 {{expects parent op to be one of 'tensor.generate, tensor.pad'}}
  tensor.yield %f : f32
}
