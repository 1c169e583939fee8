// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
#csr = "some.encoding"
func.func @elements(%t: tensor<?x4xf32>, %i: index, %f: f32, %u: tensor<*xf32>, %e: tensor<4x4xf32, #csr>) -> f32 {
  %d = tensor.dim %t, %i : tensor<?x4xf32>
  %d2 = tensor.dim {a} %u, %i : tensor<*xf32>
  %c = tensor.cast %t : tensor<?x4xf32> to tensor<4x?xf32>
  %c2 = tensor.cast %u : tensor<*xf32> to tensor<4x?xf32>
  %c3 = tensor.cast %e : tensor<4x4xf32, #csr> to tensor<4x?xf32>
  %x = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %in = tensor.insert %f into %t[%i, %i] : tensor<?x4xf32>
  %fe = tensor.from_elements %f, %x : tensor<2xf32>
  %fe0 = tensor.from_elements %f : tensor<f32>
  %fe1 = tensor.from_elements : tensor<0xf32>
  %em = tensor.empty(%i) : tensor<?x4xf32>
  %sp = tensor.splat %f : tensor<4xf32>
  %sp1 = tensor.splat %f[%i, %i] : tensor<?x4x?xf32>
  %r = tensor.rank %t : tensor<?x4xf32>
  %b = tensor.bitcast %t : tensor<?x4xf32> to tensor<?x4xui32>
  return %x : f32
}
