// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%t: tensor<8x8xf32>) {
  // expected-error@+1 {{expected 2 offset values, got 1}}
  %0 = tensor.extract_slice %t[0] [4] [1] : tensor<8x8xf32> to tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x8xf32>) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed sizes rank (1 vs 2) so the rank of the result type is well-formed.}}
  %0 = tensor.extract_slice %t[0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8x8xf32>) {
  // expected-error@+1 {{expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed.}}
  %0 = tensor.extract_slice %t[0, 0] [4, 4] [1] : tensor<8x8xf32> to tensor<4x4xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>, %n: index) {
  // expected-error@+1 {{expected the number of 'offsets' to match the number of dynamic entries in 'static_offsets' (0 vs 1)}}
  %0 = "tensor.extract_slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  // expected-error@+1 {{expected offsets to be non-negative, but got -1}}
  %0 = tensor.extract_slice %t[-1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  // expected-error@+1 {{expected sizes to be non-negative, but got -4}}
  %0 = tensor.extract_slice %t[1] [-4] [1] : tensor<8xf32> to tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  // expected-error@+1 {{expected type to be 'tensor<4xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[1] [4] [1] : tensor<8xf32> to tensor<3xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  // expected-error@+1 {{expected rank to be smaller or equal to the other rank.}}
  %0 = tensor.extract_slice %t[1] [4] [1] : tensor<8xf32> to tensor<4x1xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  // expected-error@+1 {{expected element type to be 'f32'}}
  %0 = tensor.extract_slice %t[1] [4] [1] : tensor<8xf32> to tensor<4xf64>
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  // expected-error@+1 {{offset 0 is out-of-bounds: 8 >= 8}}
  %0 = tensor.extract_slice %t[8] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  // expected-error@+1 {{slice along dimension 0 runs out-of-bounds: 9 >= 8}}
  %0 = tensor.extract_slice %t[3] [4] [2] : tensor<8xf32> to tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>, %s: tensor<3xf32>) {
  // expected-error@+1 {{expected type to be 'tensor<4xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.insert_slice %s into %t[1] [4] [1] : tensor<3xf32> into tensor<8xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>, %s: tensor<3xf32>) {
  // expected-error@+1 {{failed to verify that expected result type to match dest type}}
  %0 = "tensor.insert_slice"(%s, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 1>, static_sizes = array<i64: 3>, static_strides = array<i64: 1>}> : (tensor<3xf32>, tensor<8xf32>) -> tensor<9xf32>
  return
}
