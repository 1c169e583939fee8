// A type without a layout says that the elements begin at the base.
//
// test: error run --device cpu --arg=iota --arg=1
// error: 7:8: does not fit the type it is cast to
func.func @f(%a: memref<4xf32>, %n: index) -> f32 {
  %v = memref.subview %a[%n] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  %w = memref.cast %v : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32>
  %x = affine.load %w[0] : memref<2xf32>
  return %x : f32
}
