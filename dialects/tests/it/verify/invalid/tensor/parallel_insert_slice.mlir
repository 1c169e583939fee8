// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%t: tensor<8xf32>, %s: tensor<1xf32>) {
  // expected-error@+1 {{expected InParallelOpInterface parent}}
  tensor.parallel_insert_slice %s into %t[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
  return
}
// -----
func.func @f(%t: tensor<8xf32>, %s: tensor<2xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      // expected-error@+1 {{expected type to be 'tensor<1xf32>' or a rank-reduced version. (size mismatch)}}
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
