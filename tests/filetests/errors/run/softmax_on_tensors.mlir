// The passes that lower other operations of the dialect leave this one: it is what the error tells, though it is not the
// first, with a script that decomposes it.
//
// test: error run --device=cpu --arg=iota
// error: 10:8: gridloom does not run 'linalg.softmax': lower it to loops with MLIR's passes first
func.func @f(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %z = arith.constant 0.0 : f32
  %s = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
