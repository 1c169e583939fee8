// test: error run --device=cpu --no-offload --memory-limit=1MiB
// error: 6:8: an allocation of 600000 bytes does not fit the memory limit of 1048576 bytes, of which 600000 are taken
func.func @f() -> f32 {
  %a = memref.alloc() : memref<150000xf32>
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<150000xf32>
  %x = memref.load %b[%c0] : memref<150000xf32>
  return %x : f32
}
