//! Target environments: client APIs, devices, versions.

use super::one_of;
use gridloom_ir::op::EnumDef;

/// recognized SPIR-V client APIs.
#[rustfmt::skip]
pub(in super::super) static CLIENT_API: EnumDef = one_of("ClientAPI", "SPIRV_ClientAPIAttr", "recognized SPIR-V client APIs", ".client_api<", &[
    ("Metal", 0), ("OpenCL", 1), ("Vulkan", 2), ("WebGPU", 3), ("Unknown", 4294967295),
]);

/// SPIR-V device types.
#[rustfmt::skip]
pub(in super::super) static DEVICE_TYPE: EnumDef = one_of("DeviceType", "SPIRV_DeviceTypeAttr", "valid SPIR-V device types", ".device_type<", &[
    ("Other", 3), ("IntegratedGPU", 2), ("DiscreteGPU", 1), ("CPU", 0), ("Unknown", 4294967295),
]);

/// recognized SPIR-V vendor strings.
#[rustfmt::skip]
pub(in super::super) static VENDOR: EnumDef = one_of("Vendor", "SPIRV_VendorAttr", "recognized SPIR-V vendor strings", ".vendor<", &[
    ("AMD", 0), ("Apple", 1), ("ARM", 2), ("Broadcom", 3), ("Imagination", 4), ("Intel", 5),
    ("NVIDIA", 6), ("Qualcomm", 7), ("SwiftShader", 8), ("Unknown", 4294967295),
]);

/// SPIR-V version.
#[rustfmt::skip]
pub(in super::super) static VERSION: EnumDef = one_of("Version", "SPIRV_VersionAttr", "valid SPIR-V version", ".version<", &[
    ("v1.0", 0), ("v1.1", 1), ("v1.2", 2), ("v1.3", 3), ("v1.4", 4), ("v1.5", 5), ("v1.6", 6),
]);
