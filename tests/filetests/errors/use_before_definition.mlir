// test: error
// error: 4:8: does not dominate
func.func @f() -> i32 {
  %a = arith.addi %b, %b : i32
  %b = arith.constant 1 : i32
  return %a : i32
}
