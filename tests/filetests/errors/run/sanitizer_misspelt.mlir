// test: error run --sanitize=races
// exit: 2
// error: --sanitize cannot be 'races'; it takes race, bounds, uninit and leak
func.func @f() {
  return
}
