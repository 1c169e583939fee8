// test: error
// error: 4:19: %b
func.func @f() -> i32 {
  %a = arith.addi %b, %b : i32
  return %a : i32
}
