// test: error opt --convert-complex-to-standard
// error: 4:8: 'memref.realloc' of complex numbers cannot be lowered
func.func private @g(%x: memref<4xcomplex<f32>>) -> memref<8xcomplex<f32>> {
  %r = memref.realloc %x : memref<4xcomplex<f32>> to memref<8xcomplex<f32>>
  return %r : memref<8xcomplex<f32>>
}
