// test: error run --device cpu --entry h
// error: 3:1: no function '@h'
func.func @f() {
  return
}
