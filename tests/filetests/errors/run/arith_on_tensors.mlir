// test: error run --device=cpu
// error: 4:8: gridloom does not run 'arith.addf on tensors'
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
