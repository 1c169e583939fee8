// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Operations on sparse matrices that do not fit their handles.

func.func @f(%s: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %b: memref<?xi8>) {
  // expected-error@+1 {{'gpu.spmv' op operand #1 must be dense tensor handle type, but got '!gpu.sparse.spmat_handle'}}
  "gpu.spmv"(%s, %s, %x, %b) {computeType = f32} : (!gpu.sparse.spmat_handle, !gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, memref<?xi8>) -> ()
  return
}

// -----

func.func @f(%s: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %b: memref<?xi8>) {
  // expected-error@+1 {{'gpu.spmv' op requires attribute 'computeType'}}
  "gpu.spmv"(%s, %x, %x, %b) : (!gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle, memref<?xi8>) -> ()
  return
}

// -----

func.func @f(%s: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %b: memref<?xi8>) {
  // expected-error@+1 {{'gpu.spmv' op attribute 'modeA' failed to satisfy constraint: transpose mode of sparse matrix supported by sparse tensor ops}}
  "gpu.spmv"(%s, %x, %x, %b) {computeType = f32, modeA = 3 : i32} : (!gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle, memref<?xi8>) -> ()
  return
}

// -----

func.func @f(%s: !gpu.sparse.spmat_handle, %n: index, %b: memref<4xi8>, %d: !gpu.sparse.spgemmop_handle) {
  // expected-error@+1 {{'gpu.spgemm_work_estimation_or_compute' op requires attribute 'kind'}}
  %0 = "gpu.spgemm_work_estimation_or_compute"(%d, %s, %s, %s, %n, %b) {computeType = f32} : (!gpu.sparse.spgemmop_handle,!gpu.sparse.spmat_handle, !gpu.sparse.spmat_handle,!gpu.sparse.spmat_handle, index, memref<4xi8>) -> index
  return
}

// -----

func.func @f(%s: !gpu.sparse.spmat_handle) {
  // expected-error@+1 {{custom op 'gpu.destroy_sp_mat' needs to be named when marked 'async'}}
  gpu.destroy_sp_mat async %s
  return
}
