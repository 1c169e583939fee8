// test: error
// error: 4:23: use of value '%x' expects different type than prior uses: 'i32' vs 'f32'
func.func @f(%x: f32, %k: i32) -> i32 {
  %y = arith.addi %k, %x : i32
  return %y : i32
}
