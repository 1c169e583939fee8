// test: error run --arg=iota --device=cpu
// error: 7:10: the interpreter cannot run 'vector.scan'
func.func @vector_that_does_not_run(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  %z = arith.constant dense<0.0> : vector<f32>
  %s:2 = vector.scan <add>, %v, %z {inclusive = true, reduction_dim = 0 : i64} : vector<4xf32>, vector<f32>
  vector.store %s#0, %x[%c0] : memref<4xf32>, vector<4xf32>
  return
}
