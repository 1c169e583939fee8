// Values that are made up need a size, which `?` does not give.
//
// test: error run --device cpu --arg=zeros
// error: the type leaves sizes open
func.func @f(%a: memref<?xf32>) {
  return
}
