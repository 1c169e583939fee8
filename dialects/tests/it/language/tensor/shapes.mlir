// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @shapes(%t: tensor<?x4xf32>, %n: index, %s: tensor<3xi32>, %u: tensor<*xf32>,
                  %q: tensor<?xindex>) {
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %one = tensor.empty() : tensor<1x1xf32>
  %scalar = tensor.collapse_shape %one [] : tensor<1x1xf32> into tensor<f32>
  %back = tensor.expand_shape %scalar [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %r = tensor.reshape %t(%s) {a} : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x?x2xf32>
  %v = tensor.reshape %u(%q) : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>
  %cat = tensor.concat dim(0) %t, %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %cat1 = tensor.concat dim(1) %t, %t {a = 1} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  return
}
