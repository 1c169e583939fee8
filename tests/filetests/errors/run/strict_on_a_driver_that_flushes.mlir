// test: error run --device=SwiftShader --fp=strict
// exit: 3
// error: SwiftShader flushes subnormal floats to zero, so strict floats are not bit-exact on it
func.func @f(%x: memref<4xf32>) {
  return
}
