// test: error
// error: 5:10: affine map num results must equal memref rank
func.func @f(%a: memref<f32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<f32>
  }
  return
}
