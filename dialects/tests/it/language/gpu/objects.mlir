// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func private @selects() attributes {
  test.first = #gpu.select_object,
  test.index = [#gpu.select_object<2>, #gpu.select_object<1 : i32>, #gpu.select_object<3 : index>],
  test.target = [#gpu.select_object<#rocdl.target>, #gpu.select_object<#nvvm.target<chip = "sm_80">>]
}
// -----
func.func private @formats() attributes {
  test.plain = #gpu.object<#nvvm.target, "fat\00\FF">,
  test.fatbin = #gpu.object<#nvvm.target, fatbin = "fat">,
  test.others = [#gpu.object<#rocdl.target, bin = "b">, #gpu.object<#xevm.target, assembly = "a">, #gpu.object<#nvvm.target, offload = "o">],
  test.module = #gpu.object<#spirv.target_env<#spirv.vce<v1.3, [Shader], []>, #spirv.resource_limits<>>, properties = {}, bin = "words">,
  test.typed = #gpu.object<#nvvm.target, "fat" : i8>
}
// -----
func.func private @kernels() attributes {
  test.none = #gpu.kernel_table<>,
  test.one = #gpu.kernel_metadata<"add", (memref<4xf32>, index) -> ()>,
  test.more = #gpu.kernel_metadata<"mul", (i32) -> (), metadata = {registers = 12}, arg_attrs = [{test.noalias}]>,
  test.table = #gpu.kernel_table<[#gpu.kernel_metadata<"b", () -> (), metadata = {}>, <"a", i32>, #gpu.kernel_metadata<"c", () -> (), >]>,
  test.object = #gpu.object<#nvvm.target, properties = {opt = 3 : i32}, kernels = <[<"k", () -> ()>]>, bin = "x">,
  test.named = #gpu.object<#nvvm.target, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"k", () -> ()>]>, "x">
}
