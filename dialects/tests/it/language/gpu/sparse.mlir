// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Matrices of a vendor's library for sparse algebra.
func.func @background(%n: index, %i: memref<?xindex>, %v: memref<?xf64>, %w: memref<?xf16>, %b: memref<?xi8>) {
  %t0 = gpu.wait async
  %coo, %t1 = gpu.create_coo async [%t0] %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %aos, %t2 = gpu.create_coo_aos async [%t1] %n, %n, %n, %i, %v : memref<?xindex>, memref<?xf64>
  %csr, %t3 = gpu.create_csr async [%t2, %t1] %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %csc, %t4 = gpu.create_csc async %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %bsr, %t5 = gpu.create_bsr async [%t4] %n, %n, %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %half, %t6 = gpu.create_2to4_spmat async [%t5] {PRUNE_AND_CHECK} %n, %n, %w : memref<?xf16>
  %once, %t7 = gpu.create_2to4_spmat async {PRUNE_ONLY} %n, %n, %w {note = 1} : memref<?xf16>
  %x, %t8 = gpu.create_dn_tensor async [%t7] %v, %n : index into memref<?xf64>
  %y, %t9 = gpu.create_dn_tensor async [%t8] %v, %n, %n : index, index into memref<?xf64>
  %size, %t10 = gpu.spmv_buffer_size async [%t9] %csr, %x, %x into f64
  %t11 = gpu.spmv async [%t10] %csr{TRANSPOSE}, %x, %x, %b : memref<?xi8> into f64
  %s0, %s1, %s2, %t12 = gpu.spmm_buffer_size async [%t11] %half{NON_TRANSPOSE}, %y{CONJUGATE_TRANSPOSE}, %y : index, index, index into f16
  %t13 = gpu.spmm async [%t12] %half, %y, %y, %b, %b, %b : memref<?xi8>, memref<?xi8>, memref<?xi8> into f16
  %m, %t14 = gpu.sddmm_buffer_size async [%t13] %x{TRANSPOSE}, %y, %csr into f32
  %t15 = gpu.sddmm async [%t14] %x, %y{TRANSPOSE}, %csr, %b : memref<?xi8> into f32
  %desc, %t16 = gpu.spgemm_create_descr async [%t15]
  %new, %t17 = gpu.spgemm_work_estimation_or_compute async [%t16] {WORK_ESTIMATION} %csr{TRANSPOSE}, %csr, %csr, %desc, %n, %b : f32 into memref<?xi8>
  %more, %t18 = gpu.spgemm_work_estimation_or_compute async [%t17] {COMPUTE} %csr, %csr{TRANSPOSE}, %csr, %desc, %n, %b : f32 into memref<?xi8>
  %rows, %cols, %nnz, %t19 = gpu.spmat_get_size async [%t18] %csr
  %t20 = gpu.set_csr_pointers async [%t19] %csr, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %t21 = gpu.spgemm_copy async [%t20] %csr, %csr, %csr, %desc : f32
  %t22 = gpu.spgemm_destroy_descr async [%t21] %desc
  %t23 = gpu.destroy_sp_mat async [%t22] %csr
  %t24 = gpu.destroy_dn_tensor async [%t23] %x
  gpu.wait [%t24]
  return
}
// -----
// Without tokens, or only after some.
func.func @at_once(%n: index, %i: memref<?xindex>, %v: memref<?xf64>, %b: memref<?xi8>, %t: !gpu.async.token) {
  %csr = gpu.create_csr %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %coo = gpu.create_coo [%t] %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %half = gpu.create_2to4_spmat {NONE} %n, %n, %v : memref<?xf64>
  %x = gpu.create_dn_tensor %v, %n : index into memref<?xf64>
  %size = gpu.spmv_buffer_size %csr{TRANSPOSE}, %x, %x into f64
  gpu.spmv %csr, %x, %x, %b {note} : memref<?xi8> into f64
  %s = gpu.spmm_buffer_size %csr, %x, %x : index into f64
  gpu.spmm [%t] %csr, %x, %x, %b : memref<?xi8> into f64
  gpu.sddmm %x, %x, %csr, %b : memref<?xi8> into f64
  %desc = gpu.spgemm_create_descr
  gpu.spgemm_copy %csr{TRANSPOSE}, %csr{TRANSPOSE}, %csr, %desc : f32
  %sizes:3 = gpu.spmat_get_size %csr
  gpu.set_csr_pointers [%t, %t] %csr, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  gpu.spgemm_destroy_descr %desc
  gpu.destroy_sp_mat %csr
  gpu.destroy_dn_tensor [%t] %x
  return
}
// -----
func.func @generic(%s: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %b: memref<?xi8>) {
  %0:3 = "gpu.spmm_buffer_size"(%s, %x, %x) <{computeType = f32, modeA = #gpu<mat_transpose_mode TRANSPOSE>, modeB = #gpu<mat_transpose_mode NON_TRANSPOSE>, resultSegmentSizes = array<i32: 2, 1>}> : (!gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle) -> (index, index, !gpu.async.token)
  "gpu.spmv"(%s, %x, %x, %b) <{computeType = f32}> : (!gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle, memref<?xi8>) -> ()
  return
}
