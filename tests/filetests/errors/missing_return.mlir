// test: error
// error: 4:8: terminator
func.func @f() {
  %a = arith.constant 1 : i32
}
