// test: error run --device=cpu --no-offload
// error: 6:3: only a live allocation can be freed, once
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return
}
