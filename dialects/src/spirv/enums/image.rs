//! Image dimensions, formats and operands.

use super::{bits, one_of};
use gridloom_ir::op::EnumDef;

/// SPIR-V Dim.
#[rustfmt::skip]
pub(in super::super) static DIM: EnumDef = one_of("Dim", "SPIRV_DimAttr", "valid SPIR-V Dim", ".dim<", &[
    ("Dim1D", 0), ("Dim2D", 1), ("Dim3D", 2), ("Cube", 3), ("Rect", 4), ("Buffer", 5),
    ("SubpassData", 6),
]);

/// SPIR-V Image Arrayed specification.
#[rustfmt::skip]
pub(in super::super) static IMAGE_ARRAYED_INFO: EnumDef = one_of("ImageArrayedInfo", "SPIRV_ArrayedAttr", "valid SPIR-V Image Arrayed specification", ".image_arrayed_info<", &[
    ("NonArrayed", 0), ("Arrayed", 1),
]);

/// SPIR-V Image Depth specification.
#[rustfmt::skip]
pub(in super::super) static IMAGE_DEPTH_INFO: EnumDef = one_of("ImageDepthInfo", "SPIRV_DepthAttr", "valid SPIR-V Image Depth specification", ".image_depth_info<", &[
    ("NoDepth", 0), ("IsDepth", 1), ("DepthUnknown", 2),
]);

/// SPIR-V ImageFormat.
#[rustfmt::skip]
pub(in super::super) static IMAGE_FORMAT: EnumDef = one_of("ImageFormat", "SPIRV_ImageFormatAttr", "valid SPIR-V ImageFormat", ".image_format<", &[
    ("Unknown", 0), ("Rgba32f", 1), ("Rgba16f", 2), ("R32f", 3), ("Rgba8", 4), ("Rgba8Snorm", 5),
    ("Rg32f", 6), ("Rg16f", 7), ("R11fG11fB10f", 8), ("R16f", 9), ("Rgba16", 10), ("Rgb10A2", 11),
    ("Rg16", 12), ("Rg8", 13), ("R16", 14), ("R8", 15), ("Rgba16Snorm", 16), ("Rg16Snorm", 17),
    ("Rg8Snorm", 18), ("R16Snorm", 19), ("R8Snorm", 20), ("Rgba32i", 21), ("Rgba16i", 22),
    ("Rgba8i", 23), ("R32i", 24), ("Rg32i", 25), ("Rg16i", 26), ("Rg8i", 27), ("R16i", 28),
    ("R8i", 29), ("Rgba32ui", 30), ("Rgba16ui", 31), ("Rgba8ui", 32), ("R32ui", 33),
    ("Rgb10a2ui", 34), ("Rg32ui", 35), ("Rg16ui", 36), ("Rg8ui", 37), ("R16ui", 38), ("R8ui", 39),
    ("R64ui", 40), ("R64i", 41),
]);

/// SPIR-V ImageOperands.
#[rustfmt::skip]
pub(in super::super) static IMAGE_OPERANDS: EnumDef = bits("ImageOperands", "SPIRV_ImageOperandsAttr", "valid SPIR-V ImageOperands", ".image_operands<", &[
    ("None", 0), ("Bias", 1), ("Lod", 2), ("Grad", 4), ("ConstOffset", 8), ("Offset", 16),
    ("ConstOffsets", 32), ("Sample", 64), ("MinLod", 128), ("MakeTexelAvailable", 256),
    ("MakeTexelVisible", 512), ("NonPrivateTexel", 1024), ("VolatileTexel", 2048),
    ("SignExtend", 4096), ("Offsets", 65536), ("ZeroExtend", 8192), ("Nontemporal", 16384),
]);

/// SPIR-V Sampler Use specification.
#[rustfmt::skip]
pub(in super::super) static IMAGE_SAMPLER_USE_INFO: EnumDef = one_of("ImageSamplerUseInfo", "SPIRV_SamplerUseAttr", "valid SPIR-V Sampler Use specification", ".image_sampler_use_info<", &[
    ("SamplerUnknown", 0), ("NeedSampler", 1), ("NoSampler", 2),
]);

/// SPIR-V Image Sampling specification.
#[rustfmt::skip]
pub(in super::super) static IMAGE_SAMPLING_INFO: EnumDef = one_of("ImageSamplingInfo", "SPIRV_SamplingAttr", "valid SPIR-V Image Sampling specification", ".image_sampling_info<", &[
    ("SingleSampled", 0), ("MultiSampled", 1),
]);
