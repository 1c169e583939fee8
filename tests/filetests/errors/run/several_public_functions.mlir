// test: error run --device cpu
// error: 3:1: several functions could be run (@f, @g)
func.func @f() {
  return
}
func.func @g() {
  return
}
