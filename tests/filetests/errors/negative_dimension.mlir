// test: error
// error: 3:25: expected non-function type
func.func @f(%a: memref<-4xf32>) {
  return
}
