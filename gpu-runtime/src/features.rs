//! Features: optional abilities of devices that kernels need or the runtime uses.

use std::fmt;

bitflags::bitflags! {
    /// A set of optional device abilities.
    ///
    /// A device is opened with everything it has of these (less what its driver only pretends to
    /// have, see [`Quirk`](crate::Quirk)); a kernel states what it needs and is refused with the
    /// names of what is missing.
    ///
    /// Arithmetic of 8 bits is not here: kernels hold such numbers in registers of 32 bits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct FeatureSet: u32 {
        /// 64-bit floats.
        const F64 = 1;
        /// 16-bit floats, in registers and in storage buffers.
        const F16 = 1 << 1;
        /// 16-bit integers, in registers and in storage buffers.
        const I16 = 1 << 2;
        /// 64-bit integers.
        const I64 = 1 << 3;
        /// Atomic addition of 32-bit floats in storage buffers.
        const F32_ATOMIC_ADD = 1 << 4;
        /// All atomic operations on 64-bit integers in storage buffers.
        const I64_ATOMIC = 1 << 5;
        /// Operations between the threads of a subgroup.
        const SUBGROUP = 1 << 6;
        /// SPIR-V reaches the driver word for word.
        const PASSTHROUGH = 1 << 7;
        /// Parameters travel in the command buffer (push constants).
        const IMMEDIATES = 1 << 8;
        /// The device clock can be read around launches.
        const TIMESTAMPS = 1 << 9;
        /// Storage buffers can be mapped into the host, so transfers need no second copy.
        const MAPPABLE = 1 << 10;
        /// The device clock can be read around copies, too.
        const COPY_TIMESTAMPS = 1 << 11;
        /// Cooperative matrices of the threads of a subgroup, and the Vulkan memory model that they
        /// need.
        const MATRICES = 1 << 12;
        /// Device addresses of buffers. wgpu has them for acceleration structures, and switches them
        /// on with these. Only taken where kernels gain by them
        /// ([`Quirk::FastAddresses`](crate::Quirk)).
        const ADDRESSES = 1 << 13;
        /// Elements of one byte in storage buffers. wgpu does not know it: the driver is asked and told directly.
        const STORAGE8 = 1 << 14;
        /// Elements of two bytes in storage buffers, which wgpu has with 16-bit types only.
        const STORAGE16 = 1 << 15;
    }
}

/// Feature table: each flag with the wgpu feature behind it, if wgpu knows it, and the name that users see.
const TABLE: &[(FeatureSet, wgpu::Features, &str)] = &[
    (FeatureSet::F64, wgpu::Features::SHADER_F64, "64-bit floats"),
    (FeatureSet::F16, wgpu::Features::SHADER_F16, "16-bit floats"),
    (
        FeatureSet::I16,
        wgpu::Features::SHADER_I16,
        "16-bit integers",
    ),
    (
        FeatureSet::I64,
        wgpu::Features::SHADER_INT64,
        "64-bit integers",
    ),
    (
        FeatureSet::F32_ATOMIC_ADD,
        wgpu::Features::SHADER_FLOAT32_ATOMIC,
        "atomic 32-bit float addition",
    ),
    (
        FeatureSet::I64_ATOMIC,
        wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS,
        "atomic 64-bit integers",
    ),
    (
        FeatureSet::SUBGROUP,
        wgpu::Features::SUBGROUP,
        "subgroup operations",
    ),
    (
        FeatureSet::PASSTHROUGH,
        wgpu::Features::PASSTHROUGH_SHADERS,
        "SPIR-V passthrough",
    ),
    (
        FeatureSet::IMMEDIATES,
        wgpu::Features::IMMEDIATES,
        "immediates",
    ),
    (
        FeatureSet::TIMESTAMPS,
        wgpu::Features::TIMESTAMP_QUERY,
        "timestamps",
    ),
    (
        FeatureSet::MAPPABLE,
        wgpu::Features::MAPPABLE_PRIMARY_BUFFERS,
        "mappable storage buffers",
    ),
    (
        FeatureSet::COPY_TIMESTAMPS,
        wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS,
        "timestamps around copies",
    ),
    (
        FeatureSet::MATRICES,
        wgpu::Features::EXPERIMENTAL_COOPERATIVE_MATRIX,
        "cooperative matrices",
    ),
    (
        FeatureSet::ADDRESSES,
        wgpu::Features::EXPERIMENTAL_RAY_QUERY,
        "device addresses of buffers",
    ),
    (
        FeatureSet::STORAGE8,
        wgpu::Features::empty(),
        "8-bit storage",
    ),
    (
        FeatureSet::STORAGE16,
        wgpu::Features::empty(),
        "16-bit storage",
    ),
];

impl FeatureSet {
    /// The flags whose wgpu features are all in `features`.
    pub(crate) fn from_wgpu(features: wgpu::Features) -> Self {
        TABLE
            .iter()
            .filter(|(_, wgpu, _)| !wgpu.is_empty() && features.contains(*wgpu))
            .fold(Self::empty(), |set, (flag, _, _)| set | *flag)
    }

    /// The wgpu features to request for these flags.
    pub(crate) fn to_wgpu(self) -> wgpu::Features {
        TABLE
            .iter()
            .filter(|(flag, _, _)| self.contains(*flag))
            .fold(wgpu::Features::empty(), |set, (_, wgpu, _)| set | *wgpu)
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = TABLE.iter().filter(|(flag, _, _)| self.contains(*flag));
        match names.next() {
            None => return f.write_str("nothing"),
            Some((_, _, first)) => f.write_str(first)?,
        }
        names.try_for_each(|(_, _, name)| write!(f, ", {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_has_a_row_and_survives_the_way_to_wgpu_and_back() {
        let unknown = FeatureSet::STORAGE8 | FeatureSet::STORAGE16;
        for flag in FeatureSet::all() {
            assert_eq!(FeatureSet::from_wgpu(flag.to_wgpu()), flag - unknown);
        }
        assert_eq!(TABLE.len(), FeatureSet::all().iter().count());
    }

    #[test]
    fn display_lists_names() {
        assert_eq!(FeatureSet::empty().to_string(), "nothing");
        let two = FeatureSet::F64 | FeatureSet::IMMEDIATES;
        assert_eq!(two.to_string(), "64-bit floats, immediates");
    }
}
