// test: error
// error: 7:1: expected `}`
func.func @f(%a: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xf32>
  }
