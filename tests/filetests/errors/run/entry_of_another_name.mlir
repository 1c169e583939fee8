// test: error run --entry=main
// error: 3:1: there is no function '@main' to run; there are @double, @triple
func.func @double(%x: memref<4xf32>) {
  return
}
func.func @triple(%x: memref<4xf32>) {
  return
}
