// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @gather(%t: tensor<?x4x8xf32>, %i: tensor<5x2xindex>, %j: tensor<1xi32>) -> tensor<?x4x8xf32> {
  %a = tensor.gather %t[%i] gather_dims([0, 2]) unique : (tensor<?x4x8xf32>, tensor<5x2xindex>) -> tensor<5x1x4x1xf32>
  %b = tensor.gather %t[%i] gather_dims([0, 2]) : (tensor<?x4x8xf32>, tensor<5x2xindex>) -> tensor<5x4xf32>
  %c = tensor.gather %t[%j] gather_dims([1]) {a} : (tensor<?x4x8xf32>, tensor<1xi32>) -> tensor<?x8xf32>
  %d = tensor.scatter %a into %t[%i] scatter_dims([0, 2]) unique : (tensor<5x1x4x1xf32>, tensor<?x4x8xf32>, tensor<5x2xindex>) -> tensor<?x4x8xf32>
  return %d : tensor<?x4x8xf32>
}
