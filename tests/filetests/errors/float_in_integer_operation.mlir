// test: error
// error: 4:8: arith.addi
func.func @f(%x: f32) -> f32 {
  %y = arith.addi %x, %x : f32
  return %y : f32
}
