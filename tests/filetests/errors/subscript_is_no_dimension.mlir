// test: error
// error: 6:10: operand cannot be used as a dimension id
func.func @f(%a: memref<4xf32>, %at: memref<4xindex>) {
  affine.for %i = 0 to 4 {
    %j = memref.load %at[%i] : memref<4xindex>
    %x = affine.load %a[%j] : memref<4xf32>
  }
  return
}
