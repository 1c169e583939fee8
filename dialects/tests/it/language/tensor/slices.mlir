// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @slices(%t: tensor<?x4xf32>, %i: index) {
  %a = tensor.extract_slice %t[%i, 0] [2, %i] [1, 1] : tensor<?x4xf32> to tensor<2x?xf32>
  %b = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
  %c = tensor.insert_slice %a into %t[%i, 0] [2, %i] [1, %i] : tensor<2x?xf32> into tensor<?x4xf32>
  %d = tensor.insert_slice %b into %t[%i, 0] [1, 4] [1, 1] {a} : tensor<4xf32> into tensor<?x4xf32>
  return
}
// -----
#encoded = "some encoding"
func.func @encoding(%t: tensor<8xf32, #encoded>) {
  %a = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32, #encoded> to tensor<4xf32, #encoded>
  %b = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32, #encoded> to tensor<4xf32>
  return
}
// -----
func.func @threads(%t: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
