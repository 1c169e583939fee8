// test: error
// error: 3:25: expected a type
func.func @f(%a: memref<-4xf32>) {
  return
}
