// test: error opt --specialize-function="function=f arguments=4x4,1"
// error: 5:1: argument 0 of '@f', of type memref<?x3xf32>, cannot be '4x4'

// The second size is not open.
func.func @f(%x: memref<?x3xf32>, %n: index) {
  return
}
