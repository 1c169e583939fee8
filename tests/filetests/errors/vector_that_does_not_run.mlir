// test: error run --arg=iota --device=cpu
// error: 5:8: the interpreter has no scalable vectors
func.func @vector_that_does_not_run(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<4xf32>, vector<[4]xf32>
  vector.store %v, %x[%c0] : memref<4xf32>, vector<[4]xf32>
  return
}
