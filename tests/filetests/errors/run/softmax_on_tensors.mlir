// The passes that lower other operations of the dialect leave this one, so that they are not what the error tells.
//
// test: error run --device=cpu --arg=iota
// error: 7:8: 'linalg.softmax' does not run: no pass of MLIR lowers it but a transform script, by transform.structured.decompose_interface, which mlir-opt-22 --transform-interpreter applies
func.func @f(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
