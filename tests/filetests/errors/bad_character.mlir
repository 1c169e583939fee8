// test: error
// error: 3:17: expected operation name in quotes, found '?'
func.func @f() {
  ?
  return
}
