//! Target environment: the consumer, features and float rules a kernel is compiled for.

use crate::platform::{Limits, SpirvVersion};
use crate::products::MatrixProducts;

/// Profile: the consumers that the module must satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Profile {
    /// Vulkan drivers: what `spirv-val --target-env vulkan1.1` accepts.
    Native,
    /// Also naga's SPIR-V front end, and through it WGSL, MSL, HLSL and GLSL.
    Portable,
}

/// Mode of floating-point operations: the evaluations that are permitted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FpMode {
    /// Strict floats: no contraction, correctly rounded division and square root, NaN, infinities
    /// and signs of zeros kept; operations whose result the target does not define to the last bit
    /// are refused.
    Strict,
    /// A product may be fused into a sum, except in kernels that compare
    /// floats or convert them to integers; division and square root have the
    /// target's accuracy; elementary functions are right to a few units in
    /// the last place.
    Relaxed,
}

/// Treatment of accesses not proved in range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bounds {
    /// Checked: a load outside gives 0, a store outside is dropped, and the
    /// fault buffer records the place.
    Guarded,
    /// Unchecked accesses: the caller vouches for every one.
    Off,
}

/// The width of `index` inside the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IndexWidth {
    /// 32 bits: the caller has checked that every linear offset fits.
    Bits32,
    /// 64 bits; needs [`Features::i64`].
    Bits64,
}

impl IndexWidth {
    /// The width in bits.
    pub fn bits(self) -> u32 {
        match self {
            IndexWidth::Bits32 => 32,
            IndexWidth::Bits64 => 64,
        }
    }
}

/// Storage class of the parameter block: scalars, sizes, strides and offsets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ParamsClass {
    /// Immediates (Vulkan's push constants).
    Immediates,
    /// A uniform buffer.
    Uniform,
}

/// Features of a device that kernels may need, or have needed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Features {
    /// 64-bit floats (`shaderFloat64`).
    pub f64: bool,
    /// 64-bit integers (`shaderInt64`).
    pub i64: bool,
    /// Atomic operations on 64-bit integers in buffers and workgroup memory
    /// (`shaderBufferInt64Atomics`, `shaderSharedInt64Atomics`).
    pub i64_atomic: bool,
    /// Atomic addition of 32-bit floats in buffers (`shaderBufferFloat32AtomicAdd`).
    pub f32_atomic_add: bool,
    /// Division and square root are correctly rounded although Vulkan allows
    /// 2.5 ulp: known of software drivers. Strict kernels then use the
    /// device's own instead of an exact one built from integers.
    pub exact_division: bool,
    /// Products of cooperative matrices that the threads of a subgroup compute, 32 in number
    /// whatever the kernel (`cooperativeMatrix`, with `vulkanMemoryModel`,
    /// `vulkanMemoryModelDeviceScope`, `shaderFloat16` and `storageBuffer16BitAccess`).
    pub matrices: MatrixProducts,
    /// Elements of one byte in storage buffers (`storageBuffer8BitAccess`, with [`TargetEnv::addresses`] `shaderInt8` as well).
    pub storage8: bool,
    /// Elements of two bytes in storage buffers (`storageBuffer16BitAccess`, with [`TargetEnv::addresses`] `shaderInt16` as well).
    pub storage16: bool,
}

impl Features {
    /// Whether every feature of `needed` is here.
    pub fn contains(self, needed: Features) -> bool {
        self.missing(needed).is_empty()
    }

    /// The features of `needed` that are not here, by field name.
    pub fn missing(self, needed: Features) -> Vec<&'static str> {
        [
            ("f64", self.f64, needed.f64),
            ("i64", self.i64, needed.i64),
            ("i64_atomic", self.i64_atomic, needed.i64_atomic),
            ("f32_atomic_add", self.f32_atomic_add, needed.f32_atomic_add),
            ("exact_division", self.exact_division, needed.exact_division),
            (
                "matrices",
                self.matrices.contains(needed.matrices),
                !needed.matrices.is_empty(),
            ),
            ("storage8", self.storage8, needed.storage8),
            ("storage16", self.storage16, needed.storage16),
        ]
        .into_iter()
        .filter(|&(_, have, need)| need && !have)
        .map(|(name, _, _)| name)
        .collect()
    }
}

/// Whether a driver keeps a property of floats that Vulkan lets it lose.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub enum Promise {
    /// Unknown: the driver may lose it, and strict kernels are refused.
    #[default]
    None,
    /// The driver keeps it, without an execution mode to request it by.
    Kept,
    /// The driver keeps it where the module declares the execution mode of
    /// `SPV_KHR_float_controls`.
    OnRequest,
}

/// Promises of a driver about floats of one width, as
/// `VkPhysicalDeviceFloatControlsProperties` and experience say it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct FloatControl {
    /// `SignedZeroInfNanPreserve`: zeros keep their sign, and neither NaN nor
    /// infinities are taken for impossible.
    pub specials: Promise,
    /// `DenormPreserve`: subnormal numbers are not flushed to zero.
    pub denormals: Promise,
    /// `RoundingModeRTE`: to nearest, ties to even.
    pub rounding: Promise,
}

impl FloatControl {
    /// Every promise.
    pub const ALL: FloatControl = FloatControl {
        specials: Promise::OnRequest,
        denormals: Promise::OnRequest,
        rounding: Promise::OnRequest,
    };
}

/// The [`FloatControl`]s of a driver. Kernels hold `f16` and `bf16` in `f32`
/// registers, so two widths are all there is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct FloatControls {
    /// Of 32-bit floats.
    pub f32: FloatControl,
    /// Of 64-bit floats.
    pub f64: FloatControl,
}

impl FloatControls {
    /// Every promise for both widths.
    pub const ALL: FloatControls = FloatControls {
        f32: FloatControl::ALL,
        f64: FloatControl::ALL,
    };
}

/// A target environment. What later versions of SPIR-V than 1.3 add, compute kernels do not need,
/// and every driver in use takes 1.3, so that is the version unless another one is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TargetEnv {
    /// Profile: the consumers that the module must satisfy.
    pub profile: Profile,
    /// Version of the module.
    pub version: SpirvVersion,
    /// Whether the device has `SPV_KHR_storage_buffer_storage_class`, which is a part of SPIR-V
    /// from 1.3 on. Without it storage buffers are uniforms decorated `BufferBlock`.
    pub storage_class_extension: bool,
    /// Limits of kernels; a kernel beyond them is refused.
    pub limits: Limits,
    /// The features of the device.
    pub features: Features,
    /// The width of `index`.
    pub index_width: IndexWidth,
    /// The storage class of parameters.
    pub params: ParamsClass,
    /// Mode of floating-point operations: the evaluations that are permitted.
    pub fp: FpMode,
    /// The treatment of accesses not proved in range.
    pub bounds: Bounds,
    /// The driver's promises about floats. A strict kernel asks for every property, and is refused
    /// where a promise is missing.
    pub float_controls: FloatControls,
    /// Relaxed kernels ask for NaN, infinities and the signs of zeros where `float_controls`
    /// promises them: set where these are the promises of the device that loads the module.
    pub keep_specials: bool,
    /// Strict kernels, and those that divide constant zeros, hide the zeros among their
    /// constants, for a driver that takes `0.0 + x` for `x`, -0.0 for 0.0 and `x / 0.0` for 0.0
    /// whatever it promises.
    pub hide_zeros: bool,
    /// Instructions say their place in the source (`OpLine`).
    pub lines: bool,
    /// Loops of constant or bounded trip count ask not to be unrolled (`DontUnroll`), for
    /// drivers that otherwise take seconds to compile them.
    pub keep_loops: bool,
    /// Single precision becomes integers by operations on its bits, for drivers that convert lane by
    /// lane.
    pub convert_by_bits: bool,
    /// Kernels reach buffers by device addresses (`bufferDeviceAddress`), for drivers that are faster
    /// so. Such accesses know no end of the buffer: every element of a memref argument has to lie in
    /// the buffer that is bound for it. Needs [`Features::i64`]; kernels with cooperative matrices,
    /// and those of the portable profile, do without.
    pub addresses: bool,
    /// Most threads of a workgroup that is known to be one subgroup whose threads execute every instruction
    /// together, as on drivers that make vector instructions of it: a barrier of such a workgroup
    /// orders its memory accesses and waits for nobody. 0 where nothing is known; the portable
    /// profile does without.
    pub lockstep_threads: u32,
}

impl Default for TargetEnv {
    /// Vulkan without optional features: 32-bit index, immediates, relaxed
    /// floats, guarded accesses.
    fn default() -> Self {
        TargetEnv {
            profile: Profile::Native,
            version: SpirvVersion::V1_3,
            storage_class_extension: false,
            limits: Limits::NONE,
            features: Features::default(),
            index_width: IndexWidth::Bits32,
            params: ParamsClass::Immediates,
            fp: FpMode::Relaxed,
            bounds: Bounds::Guarded,
            float_controls: FloatControls::default(),
            keep_specials: false,
            hide_zeros: false,
            lines: false,
            keep_loops: false,
            convert_by_bits: false,
            addresses: false,
            lockstep_threads: 0,
        }
    }
}

impl TargetEnv {
    /// Whether there is a storage class `StorageBuffer`.
    pub(crate) fn has_storage_class(&self) -> bool {
        self.version >= SpirvVersion::V1_3 || self.storage_class_extension
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_features_are_named() {
        let have = Features {
            f64: true,
            ..Features::default()
        };
        let need = Features {
            f64: true,
            i64: true,
            ..Features::default()
        };
        assert_eq!(have.missing(need), ["i64"]);
        assert!(!have.contains(need));
        assert!(need.contains(have));
    }
}
