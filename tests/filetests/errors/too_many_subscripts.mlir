// test: error
// error: 5:10: affine map num results must equal memref rank
func.func @f(%a: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i, %i] : memref<4xf32>
  }
  return
}
