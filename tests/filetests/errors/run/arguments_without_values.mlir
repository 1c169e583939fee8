// Parameters of types that no argument has: the errors are at the parameters.
// test: error run --device=cpu
// error: 7:26: argument 1 (i128)
// error: 7:36: argument 2 (f80)
// error: 7:45: argument 3 (f128)
// error: 7:55: argument 4 (memref<*xf32>)
func.func @main(%a: i32, %b: i128, %c: f80, %d: f128, %e: memref<*xf32>) {
  return
}
