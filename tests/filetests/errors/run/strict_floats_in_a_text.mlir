// test: error compile --emit=wgsl --fp=strict
// exit: 2
// error: WGSL cannot promise strict floats
func.func @f(%x: memref<4xf32>) {
  return
}
