// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%m: memref<?xf32>, %m2: memref<4xf32>, %i: index, %f: f32, %t: !gpu.async.token) {
  %0 = gpu.wait async
  %1, %t1 = gpu.alloc async [%0] (%i) : memref<?xf32>
  %2 = gpu.memcpy async [%t1] %1, %m : memref<?xf32>, memref<?xf32>
  %3 = gpu.memset async [%2, %t] %1, %f : memref<?xf32>, f32
  %4 = gpu.dealloc async [%3] %1 : memref<?xf32>
  gpu.wait [%4]
  gpu.wait
  %5 = gpu.alloc host_shared (%i) : memref<?xf32>
  %6 = gpu.alloc (%i)[%i] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  gpu.memcpy %m, %1 : memref<?xf32>, memref<?xf32> {x}
  gpu.dealloc %5 : memref<?xf32>
  %7 = gpu.wait async [%t, %t]
  return
}
func.func @f1(%i: index) {
  %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  return
}
func.func @f2(%i: i32) {
  gpu.set_default_device %i
  gpu.barrier
  gpu.printf "x %d\n", %i : i32
  gpu.printf "y"
  return
}
// -----
func.func @sets_from_a_tensor(%m: memref<8xf32>, %v: tensor<f32>) {
  gpu.memset %m, %v : memref<8xf32>, tensor<f32>
  return
}
