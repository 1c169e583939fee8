//! What a kernel is compiled for.

/// Which consumers the module must satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Profile {
    /// Vulkan drivers: what `spirv-val --target-env vulkan1.1` accepts.
    Native,
    /// Also naga's SPIR-V front end, and through it WGSL, MSL, HLSL and GLSL.
    Portable,
}

/// How floating-point operations may be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FpMode {
    /// As written: no contraction, correctly rounded division and square
    /// root, and operations whose result the target does not define to the
    /// last bit are refused.
    Strict,
    /// A product may be fused into a sum, except in kernels that compare
    /// floats or convert them to integers; division and square root have the
    /// target's accuracy; elementary functions are right to a few units in
    /// the last place.
    Relaxed,
}

/// What happens on accesses not proved in range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bounds {
    /// Checked: a load outside gives 0, a store outside is dropped, and the
    /// fault buffer records the place.
    Guarded,
    /// Not checked: the caller vouches for every access.
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

/// Where scalars, sizes, strides and offsets travel.
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
    /// Basic subgroup operations (`gpu.lane_id`, `gpu.subgroup_size` and kin).
    pub subgroup: bool,
    /// Division and square root are correctly rounded although Vulkan allows
    /// 2.5 ulp: known of software drivers. Strict kernels then use the
    /// device's own instead of an exact one built from integers.
    pub exact_division: bool,
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
            ("subgroup", self.subgroup, needed.subgroup),
            ("exact_division", self.exact_division, needed.exact_division),
        ]
        .into_iter()
        .filter(|&(_, have, need)| need && !have)
        .map(|(name, _, _)| name)
        .collect()
    }
}

/// A target environment. Modules are SPIR-V 1.3 for Vulkan 1.1 always: what
/// later versions add, compute kernels do not need, and every driver in use
/// takes 1.3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TargetEnv {
    /// Which consumers the module must satisfy.
    pub profile: Profile,
    /// What the device offers.
    pub features: Features,
    /// The width of `index`.
    pub index_width: IndexWidth,
    /// Where parameters travel.
    pub params: ParamsClass,
    /// How floating-point operations may be evaluated.
    pub fp: FpMode,
    /// What happens on accesses not proved in range.
    pub bounds: Bounds,
}

impl Default for TargetEnv {
    /// Vulkan without optional features: 32-bit index, immediates, relaxed
    /// floats, guarded accesses.
    fn default() -> Self {
        TargetEnv {
            profile: Profile::Native,
            features: Features::default(),
            index_width: IndexWidth::Bits32,
            params: ParamsClass::Immediates,
            fp: FpMode::Relaxed,
            bounds: Bounds::Guarded,
        }
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
