// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %t: !gpu.async.token, %n: i32) {
  gpu.launch blocks(%a, %b, %c) in (%x = %i, %y = %i, %z = %i) threads(%d, %e, %g) in (%p = %i, %q = %i, %r = %i) {
 gpu.terminator
 }
  %0 = gpu.launch async [%t] clusters(%k1, %k2, %k3) in (%l1 = %i, %l2 = %i, %l3 = %i) blocks(%a, %b, %c) in (%x = %i, %y = %i, %z = %i) threads(%d, %e, %g) in (%p = %i, %q = %i, %r = %i) dynamic_shared_memory_size %n workgroup(%w : memref<4xf32, #gpu.address_space<workgroup>>) private(%pp : memref<1xf32, 5>) {
 gpu.terminator
 } {x}
  return
}
func.func @f1(%i: index) {
  gpu.launch blocks(%a, %b, %c) in (%x = %i, %y = %i, %z = %i) threads(%d, %e, %g) in (%p = %i, %q = %i, %r = %i) workgroup(%w : memref<4xf32>) {
 gpu.terminator
 }
  return
}
