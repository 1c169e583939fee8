// test: error
// error: 7:10: %x
func.func @f(%a: memref<4xf32>) -> f32 {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xf32>
  }
  return %x : f32
}
