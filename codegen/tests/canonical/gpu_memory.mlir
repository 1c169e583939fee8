// test: canonical
// differs: @copies: a copy of a buffer to itself copies nothing
func.func @copies(%n: index, %m: memref<?xf32>, %a: memref<4xf32>, %b: memref<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %b : memref<4xf32>, memref<4xf32>
  gpu.wait [%t1]
  gpu.memcpy %a, %a : memref<4xf32>, memref<4xf32>
  %x, %t2 = gpu.alloc async [] (%n) : memref<?xf32>
  gpu.wait [%t2]
  %d = memref.dim %x, %c0 : memref<?xf32>
  gpu.dealloc %x : memref<?xf32>
  return %d : index
}

func.func @through_casts(%a: memref<4xf32>, %v: f32) -> !gpu.async.token {
  %t0 = gpu.wait async
  %t1 = gpu.wait async [%t0]
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %t2 = gpu.memset async [%t1] %c, %v : memref<?xf32>, f32
  %d = memref.cast %a : memref<4xf32> to memref<?xf32>
  %t3 = gpu.memcpy async [%t2] %c, %d : memref<?xf32>, memref<?xf32>
  %t4 = gpu.wait async [%t3]
  return %t4 : !gpu.async.token
}

func.func @dead(%b: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  gpu.memcpy %a, %b : memref<4xf32>, memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @dead_but_awaited(%b: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %t = gpu.memcpy async %a, %b : memref<4xf32>, memref<4xf32>
  gpu.wait [%t]
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @exchanged(%x: f32) -> (f32, i32) {
  %w = arith.constant 32 : i32
  %o = arith.constant 0 : i32
  %v, %p = gpu.shuffle xor %x, %o, %w : f32
  %l = gpu.lane_id
  %s = gpu.subgroup_size : index
  %c = gpu.all_reduce add %o uniform {} : (i32) -> (i32)
  return %v, %c : f32, i32
}
