// One message for all of a dialect, with the command that brings the program to loops.
//
// test: error run --device=cpu
// error: 7:8: gridloom does not run 'linalg.fill': lower it to loops with MLIR's passes first
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %a = linalg.fill ins(%z : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.fill ins(%z : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
