// test: error
// error: 5:28: affine
func.func @f(%a: memref<16xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i * %i] : memref<16xf32>
  }
  return
}
