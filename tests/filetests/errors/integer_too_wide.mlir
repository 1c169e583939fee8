// test: error
// error: 4:23: i8
func.func @f() -> i8 {
  %x = arith.constant 300 : i8
  return %x : i8
}
