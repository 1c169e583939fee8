// test: error run --device cpu --arg=iota --arg=4
// error: 4:8: index 4 is out of bounds
func.func @f(%a: memref<4xf32>, %n: index) -> f32 {
  %x = memref.load %a[%n] : memref<4xf32>
  return %x : f32
}
