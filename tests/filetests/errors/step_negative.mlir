// test: error
// error: 4:31: step
func.func @f() {
  affine.for %i = 0 to 4 step -1 {
  }
  return
}
