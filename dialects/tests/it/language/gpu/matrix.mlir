// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %i: index, %f: f32, %c16: !gpu.mma_matrix<16x16xf16, "COp">, %a8: !gpu.mma_matrix<16x8xf16, "AOp">, %mf: memref<32x32xf32>, %ms: memref<32x32xf16, strided<[1, 32]>>) {
  %0 = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  gpu.subgroup_mma_store_matrix %c16, %m[%i, %i] {leadDimension = 32 : index, transpose} : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16, 3>
  %1 = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %2 = gpu.subgroup_mma_constant_matrix %f : !gpu.mma_matrix<16x16xf32, "COp">
  %3 = gpu.subgroup_mma_elementwise addf %c, %c : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  %4 = gpu.subgroup_mma_extract_thread_local %c[%i] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
  %5 = gpu.subgroup_mma_insert_thread_local %f, %c[%i] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %6 = gpu.subgroup_mma_compute %a, %b, %c {a_transpose, b_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}
func.func @f1(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %i: index, %f: f32, %c16: !gpu.mma_matrix<16x16xf16, "COp">, %a8: !gpu.mma_matrix<16x8xf16, "AOp">, %mf: memref<32x32xf32>, %ms: memref<32x32xf16, strided<[1, 32]>>) {
  %3 = gpu.subgroup_mma_elementwise addf %c, %c16 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}
func.func @f2(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %i: index, %f: f32, %c16: !gpu.mma_matrix<16x16xf16, "COp">, %a8: !gpu.mma_matrix<16x8xf16, "AOp">, %mf: memref<32x32xf32>, %ms: memref<32x32xf16, strided<[1, 32]>>) {
  %0 = gpu.subgroup_mma_load_matrix %mf[%i] {leadDimension = 32 : index} : memref<32x32xf32> -> !gpu.mma_matrix<16x16xf16, "AOp">
  return
}
