// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func private @ids() attributes {
  test.thread = [#gpu.thread<x>, #gpu.thread< linear_dim_0 >, #gpu<thread<y>>],
  test.block = [#gpu.block<y>, #gpu.block<linear_dim_3>],
  test.warp = [#gpu.warp<z>, #gpu.warpgroup<linear_dim_9>, #gpu.lane<x>],
  test.memory = [#gpu.memory_space<global>, #gpu.memory_space<workgroup>, #gpu.memory_space<private>]
}
// -----
func.func private @masks() attributes {
  test.masks = [#gpu.mask<0>, #gpu.mask<0x1f>, #gpu.mask<18446744073709551615>, #gpu.mask<-2>, #gpu.mask<true>, #gpu.mask<false>]
}
// -----
func.func private @loops() attributes {
  test.inner = #gpu.loop_dim_map<processor = thread_y, map = (d0) -> (d0 * 2), bound = (d0)[s0] -> (d0 + s0)>,
  test.outer = #gpu.loop_dim_map<bound = (d0) -> (d0), map = (d0) -> (d0), processor = sequential>
}
// -----
func.func private @sparse() attributes {
  test.prune = [#gpu<prune_2to4_spmat_flag NONE>, #gpu<prune_2to4_spmat_flag PRUNE_AND_CHECK>],
  test.transpose = #gpu<mat_transpose_mode CONJUGATE_TRANSPOSE>,
  test.step = #gpu<spgemm_work_estimation_or_compute_kind  COMPUTE>
}
