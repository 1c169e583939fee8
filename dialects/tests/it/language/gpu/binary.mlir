// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
gpu.binary @b [#gpu.object<#nvvm.target, "BLOB">]
gpu.binary @c <#gpu.select_object<0>> [#gpu.object<#nvvm.target<chip = "sm_70">, bin = "x">, #gpu.object<#rocdl.target, assembly = "y">] 
gpu.binary @d <#gpu.select_object<#nvvm.target>> {x.y} [#gpu.object<#nvvm.target, properties = {O = 3 : i32}, offload = "x">]
gpu.binary @e [#gpu.object<#nvvm.target, fatbin = "x">]
// -----
gpu.binary @b <#gpu.select_object> [#gpu.object<#nvvm.target, "BLOB">]
