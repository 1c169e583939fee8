// The buffer that is handed out is no leak, nor is one on the stack.
//
// test: error run --sanitize=leak --no-offload
// error: 7:8: these 32 bytes are never freed, nor is one more buffer
func.func @f() -> memref<4xi32> {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<2xi32>
  %d = memref.alloc() : memref<3xi32>
  %e = memref.alloca() : memref<3xi32>
  memref.dealloc %c : memref<2xi32>
  return %a : memref<4xi32>
}
