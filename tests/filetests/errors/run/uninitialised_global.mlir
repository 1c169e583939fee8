// test: error run --sanitize=race,uninit --no-offload
// error: 6:8: this element is read before anything is written to it
memref.global "private" @scratch : memref<4xf32> = uninitialized
func.func @f() -> f32 {
  %m = memref.get_global @scratch : memref<4xf32>
  %x = affine.load %m[2] : memref<4xf32>
  return %x : f32
}
