// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Attributes of the dialect.

"test.triples"() {
  none = #spirv.vce<v1.0, [], []>,
  some = #spirv.vce< v1.3 , [Shader,  Int8], [SPV_KHR_16bit_storage, SPV_KHR_8bit_storage]>
} : () -> ()

// -----

"test.targets"() {
  least = #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>,
  api = #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, api=Vulkan, #spirv.resource_limits<subgroup_size = 64>>,
  vendor = #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, api = OpenCL, AMD, #spirv.resource_limits<>>,
  device = #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, NVIDIA:DiscreteGPU:123, #spirv.resource_limits<>>,
  unknown = #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, api=Unknown, Unknown:Unknown:3, #spirv.resource_limits<>>
} : () -> ()

// -----

"test.limits"() {
  defaults = #spirv.resource_limits<subgroup_size = 32, max_compute_workgroup_size = [128 : i32, 128 : i32, 64 : i32]>,
  others = #spirv.resource_limits<max_subgroup_size=64, min_subgroup_size=8, max_compute_workgroup_size=[1, 2],
    max_compute_shared_memory_size = 1, max_compute_workgroup_invocations = 7>,
  matrices = #spirv.resource_limits<cooperative_matrix_properties_khr = [#spirv.coop_matrix_props_khr<
    m_size = 8, n_size = 8, k_size = 32, a_type = i8, b_type = i8, c_type = i32, result_type = i32,
    acc_sat = false, scope = #spirv.scope<Subgroup>>], cooperative_matrix_properties_nv = [#spirv.coop_matrix_props_nv<
    m_size = 8, n_size = 8, k_size = 32, a_type = i8, b_type = i8, c_type = i32, result_type = i32, scope = <Subgroup>>]>
} : () -> ()

// -----

"test.interfaces"() {
  nothing = #spirv.entry_point_abi<>,
  all = #spirv.entry_point_abi<subgroup_size = 32, workgroup_size = [64,1,1], target_width = 32>,
  variable = #spirv.interface_var_abi<(0,1)>,
  stored = #spirv.interface_var_abi<(0, 1), StorageBuffer>,
  linkage = #spirv.linkage_attributes<linkage_type = #spirv.linkage_type<Import>, linkage_name = "f">,
  load = #spirv.cache_control_load_intel<cache_level = 0, load_cache_control = Uncached>,
  store = #spirv.cache_control_store_intel<store_cache_control = WriteBack, cache_level = 1>
} : () -> ()

// -----

"test.cases"() {
  a = #spirv.storage_class<Uniform>, b = #spirv.scope< Device >, c = #spirv.version<v1.3>,
  d = #spirv.memory_semantics<Acquire | UniformMemory>, e = #spirv.memory_semantics<"None">,
  f = #spirv.function_control<None|Inline>, g = #spirv.memory_access<Aligned|Volatile>,
  h = #spirv.capability<Shader>, i = #spirv.ext<SPV_KHR_8bit_storage>, j = #spirv.opcode<OpNop>,
  k = #spirv.matrixLayout<RowMajor>, l = #spirv.dim<Dim2D>, m = #spirv.built_in<Position>,
  n = #spirv.decoration<Block>, o = #spirv.execution_mode<LocalSize>, p = #spirv.execution_model<Kernel>,
  q = #spirv.client_api<Vulkan>, r = #spirv.vendor<Intel>, s = #spirv.device_type<CPU>,
  t = #spirv.loop_control<Unroll>, u = #spirv.selection_control<Flatten>, v = #spirv.linkage_type<Export>,
  w = #spirv.image_operands<Bias|Lod>, x = #spirv.image_format<Rgba32f>, y = #spirv.group_operation<Reduce>,
  z = #spirv.packed_vector_format<PackedVectorFormat4x8Bit>, aa = #spirv.addressing_model<Logical>,
  ab = #spirv.memory_model<GLSL450>, ac = #spirv.coop_matrix_layout_khr<RowMajor>,
  ad = #spirv.coop_matrix_use_khr<MatrixA>, ae = #spirv.cooperative_matrix_operands_khr<ASigned|BSigned>,
  af = #spirv.fastmath_mode<NotNaN|NSZ>, ag = #spirv.fp_rounding_mode<RTE>, ah = #spirv.f_p_encoding<BFloat16KHR>,
  ai = #spirv.image_arrayed_info<Arrayed>, aj = #spirv.image_depth_info<IsDepth>,
  ak = #spirv.image_sampler_use_info<NeedSampler>, al = #spirv.image_sampling_info<MultiSampled>,
  am = #spirv.load_cache_control<Cached>, an = #spirv.store_cache_control<Streaming>
} : () -> ()
