// test: error run --arg=iota --device=cpu
// error: 5:8: the interpreter has no vectors of more than 16384 elements
func.func @vector_that_does_not_run(%x: memref<20000xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<20000xf32>, vector<20000xf32>
  vector.store %v, %x[%c0] : memref<20000xf32>, vector<20000xf32>
  return
}
