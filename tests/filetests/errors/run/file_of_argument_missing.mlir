// test: error run --device cpu --arg=@absent.npy
// error: argument 0 (memref<4xf32>): 'absent.npy' cannot be read
func.func @f(%a: memref<4xf32>) {
  return
}
