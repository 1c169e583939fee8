//! Memory models, semantics, scopes and storage classes.

use super::{bits, one_of};
use gridloom_ir::op::EnumDef;

/// SPIR-V AddressingModel.
#[rustfmt::skip]
pub(in super::super) static ADDRESSING_MODEL: EnumDef = one_of("AddressingModel", "SPIRV_AddressingModelAttr", "valid SPIR-V AddressingModel", ".addressing_model<", &[
    ("Logical", 0), ("Physical32", 1), ("Physical64", 2), ("PhysicalStorageBuffer64", 5348),
]);

/// SPIR-V MemoryAccess.
#[rustfmt::skip]
pub(in super::super) static MEMORY_ACCESS: EnumDef = bits("MemoryAccess", "SPIRV_MemoryAccessAttr", "valid SPIR-V MemoryAccess", ".memory_access<", &[
    ("None", 0), ("Volatile", 1), ("Aligned", 2), ("Nontemporal", 4), ("MakePointerAvailable", 8),
    ("MakePointerVisible", 16), ("NonPrivatePointer", 32), ("AliasScopeINTELMask", 65536),
    ("NoAliasINTELMask", 131072),
]);

/// SPIR-V MemoryModel.
#[rustfmt::skip]
pub(in super::super) static MEMORY_MODEL: EnumDef = one_of("MemoryModel", "SPIRV_MemoryModelAttr", "valid SPIR-V MemoryModel", ".memory_model<", &[
    ("Simple", 0), ("GLSL450", 1), ("OpenCL", 2), ("Vulkan", 3),
]);

/// SPIR-V MemorySemantics.
#[rustfmt::skip]
pub(in super::super) static MEMORY_SEMANTICS: EnumDef = bits("MemorySemantics", "SPIRV_MemorySemanticsAttr", "valid SPIR-V MemorySemantics", ".memory_semantics<", &[
    ("None", 0), ("Acquire", 2), ("Release", 4), ("AcquireRelease", 8),
    ("SequentiallyConsistent", 16), ("UniformMemory", 64), ("SubgroupMemory", 128),
    ("WorkgroupMemory", 256), ("CrossWorkgroupMemory", 512), ("AtomicCounterMemory", 1024),
    ("ImageMemory", 2048), ("OutputMemory", 4096), ("MakeAvailable", 8192), ("MakeVisible", 16384),
    ("Volatile", 32768),
]);

/// SPIR-V Scope.
#[rustfmt::skip]
pub(in super::super) static SCOPE: EnumDef = one_of("Scope", "SPIRV_ScopeAttr", "valid SPIR-V Scope", ".scope<", &[
    ("CrossDevice", 0), ("Device", 1), ("Workgroup", 2), ("Subgroup", 3), ("Invocation", 4),
    ("QueueFamily", 5), ("ShaderCallKHR", 6),
]);

/// SPIR-V StorageClass.
#[rustfmt::skip]
pub(in super::super) static STORAGE_CLASS: EnumDef = one_of("StorageClass", "SPIRV_StorageClassAttr", "valid SPIR-V StorageClass", ".storage_class<", &[
    ("UniformConstant", 0), ("Input", 1), ("Uniform", 2), ("Output", 3), ("Workgroup", 4),
    ("CrossWorkgroup", 5), ("Private", 6), ("Function", 7), ("Generic", 8), ("PushConstant", 9),
    ("AtomicCounter", 10), ("Image", 11), ("StorageBuffer", 12), ("CallableDataKHR", 5328),
    ("IncomingCallableDataKHR", 5329), ("RayPayloadKHR", 5338), ("HitAttributeKHR", 5339),
    ("IncomingRayPayloadKHR", 5342), ("ShaderRecordBufferKHR", 5343),
    ("PhysicalStorageBuffer", 5349), ("TaskPayloadWorkgroupEXT", 5402), ("CodeSectionINTEL", 5605),
    ("DeviceOnlyINTEL", 5936), ("HostOnlyINTEL", 5937),
]);

/// SPIR-V LoadCacheControl.
#[rustfmt::skip]
pub(in super::super) static LOAD_CACHE_CONTROL: EnumDef = one_of("LoadCacheControl", "SPIRV_INTEL_LoadCacheControlAttr", "valid SPIR-V LoadCacheControl", ".load_cache_control<", &[
    ("Uncached", 0), ("Cached", 1), ("Streaming", 2), ("InvalidateAfterR", 3), ("ConstCached", 4),
]);

/// SPIR-V StoreCacheControl.
#[rustfmt::skip]
pub(in super::super) static STORE_CACHE_CONTROL: EnumDef = one_of("StoreCacheControl", "SPIRV_INTEL_StoreCacheControlAttr", "valid SPIR-V StoreCacheControl", ".store_cache_control<", &[
    ("Uncached", 0), ("WriteThrough", 1), ("WriteBack", 2), ("Streaming", 3),
]);
