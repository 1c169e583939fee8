// What is freed has room again.
//
// test: error run --device=cpu --no-offload --memory-spaces=vmem=workgroup:64,2=private:1KiB
// error: 11:8: an allocation of 24 bytes does not fit memory space 'vmem', which has 64 bytes, of which 48 are taken
func.func @f() {
  %a = memref.alloc() : memref<16xi32, "vmem">
  %z = memref.alloc() : memref<256xi32, 2>
  memref.dealloc %a : memref<16xi32, "vmem">
  %b = memref.alloc() : memref<8xi32, "vmem">
  %c = memref.alloc() : memref<4xi32, "vmem">
  %d = memref.alloc() : memref<6xi32, "vmem">
  return
}
