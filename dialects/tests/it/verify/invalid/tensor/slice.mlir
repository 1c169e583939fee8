// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%t: tensor<4xf32>, %u: tensor<8xf32>) {
  // expected-error@+1 {{expected InParallelOpInterface parent, got:}}
  tensor.parallel_insert_slice %t into %u[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return
}
