//! Execution modes and models; control flow hints.

use super::{bits, one_of};
use gridloom_ir::op::EnumDef;

/// SPIR-V ExecutionMode.
#[rustfmt::skip]
pub(in super::super) static EXECUTION_MODE: EnumDef = one_of("ExecutionMode", "SPIRV_ExecutionModeAttr", "valid SPIR-V ExecutionMode", ".execution_mode<", &[
    ("Invocations", 0), ("SpacingEqual", 1), ("SpacingFractionalEven", 2),
    ("SpacingFractionalOdd", 3), ("VertexOrderCw", 4), ("VertexOrderCcw", 5),
    ("PixelCenterInteger", 6), ("OriginUpperLeft", 7), ("OriginLowerLeft", 8),
    ("EarlyFragmentTests", 9), ("PointMode", 10), ("Xfb", 11), ("DepthReplacing", 12),
    ("DepthGreater", 14), ("DepthLess", 15), ("DepthUnchanged", 16), ("LocalSize", 17),
    ("LocalSizeHint", 18), ("InputPoints", 19), ("InputLines", 20), ("InputLinesAdjacency", 21),
    ("Triangles", 22), ("InputTrianglesAdjacency", 23), ("Quads", 24), ("Isolines", 25),
    ("OutputVertices", 26), ("OutputPoints", 27), ("OutputLineStrip", 28),
    ("OutputTriangleStrip", 29), ("VecTypeHint", 30), ("ContractionOff", 31), ("Initializer", 33),
    ("Finalizer", 34), ("SubgroupSize", 35), ("SubgroupsPerWorkgroup", 36),
    ("SubgroupsPerWorkgroupId", 37), ("LocalSizeId", 38), ("LocalSizeHintId", 39),
    ("SubgroupUniformControlFlowKHR", 4421), ("PostDepthCoverage", 4446), ("DenormPreserve", 4459),
    ("DenormFlushToZero", 4460), ("SignedZeroInfNanPreserve", 4461), ("RoundingModeRTE", 4462),
    ("RoundingModeRTZ", 4463), ("EarlyAndLateFragmentTestsAMD", 5017),
    ("StencilRefReplacingEXT", 5027), ("StencilRefUnchangedFrontAMD", 5079),
    ("StencilRefGreaterFrontAMD", 5080), ("StencilRefLessFrontAMD", 5081),
    ("StencilRefUnchangedBackAMD", 5082), ("StencilRefGreaterBackAMD", 5083),
    ("StencilRefLessBackAMD", 5084), ("OutputLinesEXT", 5269), ("OutputPrimitivesEXT", 5270),
    ("DerivativeGroupQuadsNV", 5289), ("DerivativeGroupLinearNV", 5290),
    ("OutputTrianglesEXT", 5298), ("PixelInterlockOrderedEXT", 5366),
    ("PixelInterlockUnorderedEXT", 5367), ("SampleInterlockOrderedEXT", 5368),
    ("SampleInterlockUnorderedEXT", 5369), ("ShadingRateInterlockOrderedEXT", 5370),
    ("ShadingRateInterlockUnorderedEXT", 5371), ("SharedLocalMemorySizeINTEL", 5618),
    ("RoundingModeRTPINTEL", 5620), ("RoundingModeRTNINTEL", 5621),
    ("FloatingPointModeALTINTEL", 5622), ("FloatingPointModeIEEEINTEL", 5623),
    ("MaxWorkgroupSizeINTEL", 5893), ("MaxWorkDimINTEL", 5894), ("NoGlobalOffsetINTEL", 5895),
    ("NumSIMDWorkitemsINTEL", 5896), ("SchedulerTargetFmaxMhzINTEL", 5903),
    ("StreamingInterfaceINTEL", 6154), ("NamedBarrierCountINTEL", 6417),
]);

/// SPIR-V ExecutionModel.
#[rustfmt::skip]
pub(in super::super) static EXECUTION_MODEL: EnumDef = one_of("ExecutionModel", "SPIRV_ExecutionModelAttr", "valid SPIR-V ExecutionModel", ".execution_model<", &[
    ("Vertex", 0), ("TessellationControl", 1), ("TessellationEvaluation", 2), ("Geometry", 3),
    ("Fragment", 4), ("GLCompute", 5), ("Kernel", 6), ("RayGenerationKHR", 5313),
    ("IntersectionKHR", 5314), ("AnyHitKHR", 5315), ("ClosestHitKHR", 5316), ("MissKHR", 5317),
    ("CallableKHR", 5318), ("TaskEXT", 5364), ("MeshEXT", 5365),
]);

/// SPIR-V FunctionControl.
#[rustfmt::skip]
pub(in super::super) static FUNCTION_CONTROL: EnumDef = bits("FunctionControl", "SPIRV_FunctionControlAttr", "valid SPIR-V FunctionControl", ".function_control<", &[
    ("None", 0), ("Inline", 1), ("DontInline", 2), ("Pure", 4), ("Const", 8),
    ("OptNoneINTEL", 65536),
]);

/// SPIR-V LinkageType.
#[rustfmt::skip]
pub(in super::super) static LINKAGE_TYPE: EnumDef = one_of("LinkageType", "SPIRV_LinkageTypeAttr", "valid SPIR-V LinkageType", ".linkage_type<", &[
    ("Export", 0), ("Import", 1), ("LinkOnceODR", 2),
]);

/// SPIR-V LoopControl.
#[rustfmt::skip]
pub(in super::super) static LOOP_CONTROL: EnumDef = bits("LoopControl", "SPIRV_LoopControlAttr", "valid SPIR-V LoopControl", ".loop_control<", &[
    ("None", 0), ("Unroll", 1), ("DontUnroll", 2), ("DependencyInfinite", 4),
    ("DependencyLength", 8), ("MinIterations", 16), ("MaxIterations", 32),
    ("IterationMultiple", 64), ("PeelCount", 128), ("PartialCount", 256),
    ("InitiationIntervalINTEL", 65536), ("LoopCoalesceINTEL", 1048576),
    ("MaxConcurrencyINTEL", 131072), ("MaxInterleavingINTEL", 2097152),
    ("DependencyArrayINTEL", 262144), ("SpeculatedIterationsINTEL", 4194304),
    ("PipelineEnableINTEL", 524288), ("NoFusionINTEL", 8388608),
]);

/// SPIR-V SelectionControl.
#[rustfmt::skip]
pub(in super::super) static SELECTION_CONTROL: EnumDef = bits("SelectionControl", "SPIRV_SelectionControlAttr", "valid SPIR-V SelectionControl", ".selection_control<", &[
    ("None", 0), ("Flatten", 1), ("DontFlatten", 2),
]);
