// test: error run --sanitize=race --device=llvmpipe
// exit: 2
// error: --sanitize runs the program on the interpreter
func.func @f() {
  return
}
