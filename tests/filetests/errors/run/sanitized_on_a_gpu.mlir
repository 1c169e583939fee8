// test: error run --sanitize=race --device=llvmpipe
// exit: 2
// error: --sanitize watches the interpreter
func.func @f() {
  return
}
