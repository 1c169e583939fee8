// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @regions(%t: tensor<?x4xf32>, %i: index, %f: f32) {
  %g = tensor.generate %i {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } : tensor<?x4xf32>
  %h = tensor.generate {
  ^bb0(%a: index):
    tensor.yield %a : index
  } {a = 2} : tensor<4xindex>
  %p = tensor.pad %t low[0, %i] high[1, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } : tensor<?x4xf32> to tensor<?x?xf32>
  %q = tensor.pad %t nofold low[0, 0] high[1, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } {a} : tensor<?x4xf32> to tensor<7x6xf32>
  return
}
