// test: error run --device cpu --arg=zeros[5]
// error: argument 0 (memref<4xf32>): shape [5] does not fit the type
func.func @f(%x: memref<4xf32>) {
  return
}
