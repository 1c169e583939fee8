// test: error
// error: 4:3: expected an operation
func.func @f() {
  ?
  return
}
