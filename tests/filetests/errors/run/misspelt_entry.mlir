// test: error run --entry=doubel
// error: 3:1: there is no function '@doubel' to run; did you mean '@double'?
func.func @double(%x: memref<4xf32>) {
  return
}
func.func @triple(%x: memref<4xf32>) {
  return
}
