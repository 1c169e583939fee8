// test: error
// error: 6:4: expected operation name in quotes or '}' at the end of the region
func.func @f(%a: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xf32>
  }
