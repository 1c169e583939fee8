// test: error run --sanitize=races
// exit: 2
// error: 'races' is none of race, bounds and uninit
func.func @f() {
  return
}
