// One copy has ended with the wait for its token, the other has not.
//
// test: error run --device=cpu --no-offload --arg=iota
// error: 15:8: this reads the destination of a transfer that has not been waited for
func.func @f(%a: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %t0 = gpu.wait async
  %x, %t1 = gpu.alloc async [%t0] () : memref<4xi32>
  %y, %t2 = gpu.alloc async [%t0] () : memref<4xi32>
  gpu.wait [%t1, %t2]
  %t3 = gpu.memcpy async %x, %a : memref<4xi32>, memref<4xi32>
  %t4 = gpu.memcpy async %y, %a : memref<4xi32>, memref<4xi32>
  gpu.wait [%t3]
  %u = memref.load %x[%c0] : memref<4xi32>
  %v = memref.load %y[%c0] : memref<4xi32>
  gpu.wait [%t4]
  return %v : i32
}
