// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%t: tensor<?xf32>, %m: memref<?xf64>) {
  // expected-error@+1 {{failed to verify that all of {source, dest} have same element type}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<?xf32>, memref<?xf64>) -> ()
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %v: vector<4xf32>) {
  // expected-error@+1 {{'dest' must be a tensor or a memref}}
  bufferization.materialize_in_destination %t in %v : (tensor<4xf32>, vector<4xf32>) -> ()
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{tensor 'dest' implies exactly one tensor result}}
  bufferization.materialize_in_destination %t in %t : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{result and 'dest' types must match}}
  %0 = bufferization.materialize_in_destination %t in %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error@+1 {{memref 'dest' implies zero results}}
  %0 = bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{'restrict' is valid only for memref destinations}}
  %0 = bufferization.materialize_in_destination %t in restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error@+1 {{'writable' must be specified if and only if the destination is of memref type}}
  bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %m: memref<*xf32>) {
  // expected-error@+1 {{source/destination shapes are incompatible}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<*xf32>) -> ()
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %m: memref<4x1xf32>) {
  // expected-error@+1 {{rank mismatch between source and destination shape}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4x1xf32>) -> ()
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %m: memref<5xf32>) {
  // expected-error@+1 {{source/destination shapes are incompatible}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<5xf32>) -> ()
  return
}
