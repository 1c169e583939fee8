// test: error opt --specialize-function="function=f arguments=4x4"
// error: 5:1: '@f' has 2 parameters, and 1 arguments are given; write one for each, in order, with _ for what is not known

// The message stands at the function.
func.func @f(%x: memref<?x3xf32>, %n: index) {
  return
}
