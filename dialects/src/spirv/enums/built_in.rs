//! Built-in variables.

use super::one_of;
use gridloom_ir::op::EnumDef;

/// SPIR-V BuiltIn.
#[rustfmt::skip]
pub(in super::super) static BUILT_IN: EnumDef = one_of("BuiltIn", "SPIRV_BuiltInAttr", "valid SPIR-V BuiltIn", ".built_in<", &[
    ("Position", 0), ("PointSize", 1), ("ClipDistance", 3), ("CullDistance", 4), ("VertexId", 5),
    ("InstanceId", 6), ("PrimitiveId", 7), ("InvocationId", 8), ("Layer", 9), ("ViewportIndex", 10),
    ("TessLevelOuter", 11), ("TessLevelInner", 12), ("TessCoord", 13), ("PatchVertices", 14),
    ("FragCoord", 15), ("PointCoord", 16), ("FrontFacing", 17), ("SampleId", 18),
    ("SamplePosition", 19), ("SampleMask", 20), ("FragDepth", 22), ("HelperInvocation", 23),
    ("NumWorkgroups", 24), ("WorkgroupSize", 25), ("WorkgroupId", 26), ("LocalInvocationId", 27),
    ("GlobalInvocationId", 28), ("LocalInvocationIndex", 29), ("WorkDim", 30), ("GlobalSize", 31),
    ("EnqueuedWorkgroupSize", 32), ("GlobalOffset", 33), ("GlobalLinearId", 34),
    ("SubgroupSize", 36), ("SubgroupMaxSize", 37), ("NumSubgroups", 38),
    ("NumEnqueuedSubgroups", 39), ("SubgroupId", 40), ("SubgroupLocalInvocationId", 41),
    ("VertexIndex", 42), ("InstanceIndex", 43), ("SubgroupEqMask", 4416), ("SubgroupGeMask", 4417),
    ("SubgroupGtMask", 4418), ("SubgroupLeMask", 4419), ("SubgroupLtMask", 4420),
    ("BaseVertex", 4424), ("BaseInstance", 4425), ("DrawIndex", 4426),
    ("PrimitiveShadingRateKHR", 4432), ("DeviceIndex", 4438), ("ViewIndex", 4440),
    ("ShadingRateKHR", 4444), ("BaryCoordNoPerspAMD", 4992), ("BaryCoordNoPerspCentroidAMD", 4993),
    ("BaryCoordNoPerspSampleAMD", 4994), ("BaryCoordSmoothAMD", 4995),
    ("BaryCoordSmoothCentroidAMD", 4996), ("BaryCoordSmoothSampleAMD", 4997),
    ("BaryCoordPullModelAMD", 4998), ("FragStencilRefEXT", 5014), ("ViewportMaskNV", 5253),
    ("SecondaryPositionNV", 5257), ("SecondaryViewportMaskNV", 5258), ("PositionPerViewNV", 5261),
    ("ViewportMaskPerViewNV", 5262), ("FullyCoveredEXT", 5264), ("BaryCoordKHR", 5286),
    ("BaryCoordNoPerspKHR", 5287), ("FragSizeEXT", 5292), ("FragInvocationCountEXT", 5293),
    ("PrimitivePointIndicesEXT", 5294), ("PrimitiveLineIndicesEXT", 5295),
    ("PrimitiveTriangleIndicesEXT", 5296), ("CullPrimitiveEXT", 5299), ("LaunchIdKHR", 5319),
    ("LaunchSizeKHR", 5320), ("WorldRayOriginKHR", 5321), ("WorldRayDirectionKHR", 5322),
    ("ObjectRayOriginKHR", 5323), ("ObjectRayDirectionKHR", 5324), ("RayTminKHR", 5325),
    ("RayTmaxKHR", 5326), ("InstanceCustomIndexKHR", 5327), ("ObjectToWorldKHR", 5330),
    ("WorldToObjectKHR", 5331), ("HitTNV", 5332), ("HitKindKHR", 5333), ("CurrentRayTimeNV", 5334),
    ("IncomingRayFlagsKHR", 5351), ("RayGeometryIndexKHR", 5352), ("WarpsPerSMNV", 5374),
    ("SMCountNV", 5375), ("WarpIDNV", 5376), ("SMIDNV", 5377), ("CullMaskKHR", 6021),
]);
