// test: error run --fast
// exit: 2
// error: no option '--fast'
func.func @f() {
  return
}
