// test: error
// error: 6:1: redefinition of symbol
func.func @f() {
  return
}
func.func @f() {
  return
}
