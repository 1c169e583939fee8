// test: error run --device cpu --arg=zeros --arg=1.5
// error: argument 1 (i32): '1.5' is not an integer
func.func @f(%a: memref<4xf32>, %n: i32) {
  return
}
