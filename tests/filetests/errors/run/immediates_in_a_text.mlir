// test: error compile --emit=msl --params=immediates
// exit: 2
// error: MSL has no immediates that every API takes
func.func @f(%x: memref<4xf32>) {
  return
}
