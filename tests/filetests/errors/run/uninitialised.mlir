// test: error run --sanitize=uninit --no-offload
// error: 8:8: this element is read before anything is written to it
func.func @f() -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  affine.store %zero, %m[1] : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
