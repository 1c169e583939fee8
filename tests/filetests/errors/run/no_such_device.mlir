// test: error run --device nonesuch
// exit: 3
// error: no GPU device matches 'nonesuch'
func.func @f() {
  return
}
