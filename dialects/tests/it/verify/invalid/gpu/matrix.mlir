// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %i: index, %f: f32, %c16: !gpu.mma_matrix<16x16xf16, "COp">, %a8: !gpu.mma_matrix<16x8xf16, "AOp">, %mf: memref<32x32xf32>, %ms: memref<32x32xf16, strided<[1, 32]>>) {
  // expected-error@+1 {{operands must be in the order AOp, BOp, COp}}
  %1 = gpu.subgroup_mma_compute %b, %a, %c : !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x16xf16, "AOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}
// -----
func.func @f(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %i: index, %f: f32, %c16: !gpu.mma_matrix<16x16xf16, "COp">, %a8: !gpu.mma_matrix<16x8xf16, "AOp">, %mf: memref<32x32xf32>, %ms: memref<32x32xf16, strided<[1, 32]>>) {
  // expected-error@+1 {{operand shapes do not satisfy matmul constraints}}
  %1 = gpu.subgroup_mma_compute %a8, %b, %c : !gpu.mma_matrix<16x8xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}
// -----
func.func @f(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %i: index, %f: f32, %c16: !gpu.mma_matrix<16x16xf16, "COp">, %a8: !gpu.mma_matrix<16x8xf16, "AOp">, %mf: memref<32x32xf32>, %ms: memref<32x32xf16, strided<[1, 32]>>) {
  // expected-error@+1 {{expected the operand matrix being stored to have 'COp' operand type}}
  gpu.subgroup_mma_store_matrix %a, %m[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "AOp">, memref<32x32xf16, 3>
  return
}
// -----
func.func @f(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %i: index, %f: f32, %c16: !gpu.mma_matrix<16x16xf16, "COp">, %a8: !gpu.mma_matrix<16x8xf16, "AOp">, %mf: memref<32x32xf32>, %ms: memref<32x32xf16, strided<[1, 32]>>) {
  // expected-error@+1 {{expected source memref most minor dim must have unit stride}}
  %0 = gpu.subgroup_mma_load_matrix %ms[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, strided<[1, 32]>> -> !gpu.mma_matrix<16x16xf16, "AOp">
  return
}
// -----
func.func @f(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %i: index, %f: f32, %c16: !gpu.mma_matrix<16x16xf16, "COp">, %a8: !gpu.mma_matrix<16x8xf16, "AOp">, %mf: memref<32x32xf32>, %ms: memref<32x32xf16, strided<[1, 32]>>) {
  // expected-error@+1 {{expected destination memref most minor dim must have unit stride}}
  gpu.subgroup_mma_store_matrix %c16, %ms[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16, strided<[1, 32]>>
  return
}
// -----
func.func @f(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">, %i: index, %f: f32, %c16: !gpu.mma_matrix<16x16xf16, "COp">, %a8: !gpu.mma_matrix<16x8xf16, "AOp">, %mf: memref<32x32xf32>, %ms: memref<32x32xf16, strided<[1, 32]>>) {
  // expected-error@+1 {{'gpu.subgroup_mma_load_matrix' op requires attribute 'leadDimension'}}
  %0 = gpu.subgroup_mma_load_matrix %m[%i, %i] : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  return
}

// -----

// expected-error@+1 {{expected static shape}}
func.func private @extent(!gpu.mma_matrix<?x16xf16, "AOp">)
