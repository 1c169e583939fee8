// test: error run --sanitize=races
// exit: 2
// error: 'races' is none of race, bounds, uninit and leak
func.func @f() {
  return
}
