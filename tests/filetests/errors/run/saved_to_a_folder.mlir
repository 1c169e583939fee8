// test: error run --device=cpu --save-arg=0=@tests
// error: 'tests' cannot be written: it is a folder
func.func @f(%a: memref<4xf32>) {
  return
}
