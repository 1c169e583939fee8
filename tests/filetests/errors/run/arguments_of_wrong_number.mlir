// test: error run --device cpu --arg=zeros
// test: error run --device cpu --arg=zeros --arg=1 --arg=2
// error: '@f' takes 2 arguments (memref<4xf32>, i32), not
func.func @f(%a: memref<4xf32>, %n: i32) {
  return
}
