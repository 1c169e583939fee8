// No token orders the two copies, which write to the same memory.
//
// test: error run --device=cpu --no-offload --arg=iota --arg=zeros
// error: 7:9: the transfer shares memory with one that has not been waited for
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>) {
  %t0 = gpu.memcpy async %b, %a : memref<4xi32>, memref<4xi32>
  %t1 = gpu.memcpy async %b, %a : memref<4xi32>, memref<4xi32>
  gpu.wait [%t0, %t1]
  return
}
