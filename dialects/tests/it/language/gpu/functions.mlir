// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
module attributes {gpu.container_module} {
 gpu.module @k {
 gpu.func @g(%x: f32) kernel { gpu.return }
 gpu.func @h() { gpu.return }
 }
 func.func @f(%i: index, %f: f32, %t: !gpu.async.token, %n: i32, %q: i64) {
 gpu.launch_func @k::@g blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%f : f32)
 %0 = gpu.launch_func async [%t] @k::@g clusters in (%i, %i, %i) blocks in (%i, %i, %i) threads in (%i, %i, %i) dynamic_shared_memory_size %n args(%f : f32) {x}
 gpu.launch_func @k::@g blocks in (%q, %q, %q) threads in (%q, %q, %q) : i64 args(%f : f32)
 gpu.launch_func <%t : !gpu.async.token> @k::@g blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%f : f32)
 return
 }
}
// -----
gpu.module @k {
 gpu.func @f(%a: i32) workgroup(%w: memref<4xf32, #gpu.address_space<workgroup>>) private(%p: memref<1xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 1, 2, 3>, known_grid_size = array<i32: 1, 2, 3>} {
 gpu.return
 }
 gpu.func @g() -> i32 {
 %0 = arith.constant 1 : i32
 gpu.return %0 : i32
 }
 %x = arith.constant 1 : i32 
}
// -----
gpu.module @k {
 gpu.func @f() workgroup(%w: memref<4xf32>) { gpu.return }
}
// -----
gpu.module @k [#nvvm.target] {
}
// -----
gpu.module @k <#gpu.select_object<0>> {
}
// -----
gpu.module @k attributes {a.b} {
}
// -----
gpu.module @k attributes {sym_visibility = "private"} {
  gpu.func @f() attributes {sym_visibility = "nested"} {
    gpu.return
  }
}
