// test: error run --device=cpu --no-offload
// error: 8:8: the buffer has been freed
func.func @f() -> i32 {
  %a = memref.alloc() : memref<4xi32>
  %c1 = arith.constant 1 : i32
  affine.store %c1, %a[0] : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  %x = affine.load %a[0] : memref<4xi32>
  return %x : i32
}
