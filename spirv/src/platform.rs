//! Platforms: the APIs that kernels are compiled for ahead of time, with the SPIR-V version and
//! the limits that each guarantees on every device.

use crate::target::{Features, FloatControls, ParamsClass, Profile, TargetEnv};
use crate::translate::Language;

/// SPIR-V version 1.N.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SpirvVersion(u8);

impl SpirvVersion {
    /// Vulkan 1.0's.
    pub const V1_0: SpirvVersion = SpirvVersion(0);
    /// Vulkan 1.1's, the first with the storage class `StorageBuffer`.
    pub const V1_3: SpirvVersion = SpirvVersion(3);
    /// The first with float controls, and with all variables in the interface of an entry point.
    pub const V1_4: SpirvVersion = SpirvVersion(4);
    /// Vulkan 1.2's.
    pub const V1_5: SpirvVersion = SpirvVersion(5);
    /// Vulkan 1.3's and 1.4's.
    pub const V1_6: SpirvVersion = SpirvVersion(6);

    /// Version 1.`minor`; `None` beyond 1.6.
    pub fn new(minor: u8) -> Option<Self> {
        (minor <= 6).then_some(SpirvVersion(minor))
    }

    /// The N of 1.N.
    pub fn minor(self) -> u8 {
        self.0
    }
}

/// Limits of kernels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Threads of a workgroup along x, y and z.
    pub workgroup_size: [u32; 3],
    /// Threads of a workgroup altogether.
    pub threads: u32,
    /// Workgroup memory, in bytes.
    pub workgroup_bytes: u32,
    /// Storage buffers of a kernel, the fault buffer included.
    pub storage_buffers: u32,
    /// Bytes of immediates; a larger parameter block is a uniform buffer.
    pub immediate_bytes: u32,
}

impl Limits {
    /// No limits at compile time: the launch of a kernel checks those of the device.
    pub const NONE: Limits = Limits {
        workgroup_size: [u32::MAX; 3],
        threads: u32::MAX,
        workgroup_bytes: u32::MAX,
        storage_buffers: u32::MAX,
        immediate_bytes: u32::MAX,
    };

    /// The limits within those of naga's validator, which takes up to 16,384 threads along x, y and z.
    pub fn portable(self) -> Limits {
        Limits {
            workgroup_size: self.workgroup_size.map(|most| most.min(1 << 14)),
            ..self
        }
    }
}

/// An API that kernels are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Platform {
    /// Vulkan 1.N, without extensions but for the features that the module declares.
    Vulkan(u8),
    /// WebGPU.
    WebGpu,
    /// Metal 2.4.
    Metal,
    /// Direct3D 12.
    Dx12,
    /// OpenGL ES 3.1.
    OpenGlEs,
}

impl Platform {
    /// All platforms.
    pub const ALL: [Platform; 9] = [
        Platform::Vulkan(0),
        Platform::Vulkan(1),
        Platform::Vulkan(2),
        Platform::Vulkan(3),
        Platform::Vulkan(4),
        Platform::WebGpu,
        Platform::Metal,
        Platform::Dx12,
        Platform::OpenGlEs,
    ];

    /// The platform's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Platform::Vulkan(0) => "vulkan1.0",
            Platform::Vulkan(1) => "vulkan1.1",
            Platform::Vulkan(2) => "vulkan1.2",
            Platform::Vulkan(3) => "vulkan1.3",
            Platform::Vulkan(_) => "vulkan1.4",
            Platform::WebGpu => "webgpu",
            Platform::Metal => "metal",
            Platform::Dx12 => "dx12",
            Platform::OpenGlEs => "opengl-es",
        }
    }

    /// The platform of a name.
    pub fn named(name: &str) -> Option<Self> {
        Platform::ALL.into_iter().find(|all| all.name() == name)
    }

    /// The platform's shading language; `None` where it takes SPIR-V.
    pub fn language(self) -> Option<Language> {
        Some(match self {
            Platform::Vulkan(_) => return None,
            Platform::WebGpu => Language::Wgsl,
            Platform::Metal => Language::Msl,
            Platform::Dx12 => Language::Hlsl,
            Platform::OpenGlEs => Language::Essl,
        })
    }

    /// The limits that every device has.
    ///
    /// Of Vulkan they are those of "Required Limits" in its specification, of WebGPU those of
    /// section 3.6.2, of Metal the feature set tables' for the oldest GPU family with buffers of
    /// arguments, of Direct3D 12 those of `D3D12_REQ_…` and `D3D12_CS_…`, of OpenGL ES those of
    /// tables 20.46 and 20.47 of version 3.1.
    pub fn limits(self) -> Limits {
        let least = Limits {
            workgroup_size: [128, 128, 64],
            threads: 128,
            workgroup_bytes: 16 << 10,
            storage_buffers: 4,
            immediate_bytes: 128,
        };
        match self {
            Platform::Vulkan(0..=3) | Platform::OpenGlEs => least,
            Platform::Vulkan(_) => Limits {
                workgroup_size: [256, 256, 64],
                threads: 256,
                immediate_bytes: 256,
                ..least
            },
            Platform::WebGpu => Limits {
                workgroup_size: [256, 256, 64],
                threads: 256,
                storage_buffers: 8,
                ..least
            },
            // Of 31 buffers one holds the parameters and one the sizes of the others.
            Platform::Metal => Limits {
                workgroup_size: [512, 512, 512],
                threads: 512,
                workgroup_bytes: 16_352,
                storage_buffers: 29,
                ..least
            },
            Platform::Dx12 => Limits {
                workgroup_size: [1024, 1024, 64],
                threads: 1024,
                workgroup_bytes: 32 << 10,
                storage_buffers: 64,
                ..least
            },
        }
    }

    /// The target environment. Optional features of Vulkan that a module can declare are
    /// allowed: a device that lacks one refuses the module.
    pub fn env(self) -> TargetEnv {
        let (f64, i64) = match self {
            Platform::Vulkan(_) | Platform::Dx12 => (true, true),
            Platform::Metal => (false, true),
            Platform::WebGpu | Platform::OpenGlEs => (false, false),
        };
        let env = TargetEnv {
            features: Features {
                f64,
                i64,
                ..Features::default()
            },
            limits: self.limits(),
            ..TargetEnv::default()
        };
        let Platform::Vulkan(minor) = self else {
            return TargetEnv {
                profile: Profile::Portable,
                params: ParamsClass::Uniform,
                ..env
            };
        };
        TargetEnv {
            version: match minor {
                0 => SpirvVersion::V1_0,
                1 => SpirvVersion::V1_3,
                2 => SpirvVersion::V1_5,
                _ => SpirvVersion::V1_6,
            },
            float_controls: FloatControls::ALL,
            ..env
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        for platform in Platform::ALL {
            assert_eq!(Platform::named(platform.name()), Some(platform));
        }
        assert_eq!(Platform::named("vulkan1.5"), None);
    }

    #[test]
    fn a_workgroup_along_one_dimension_may_have_all_threads() {
        for platform in Platform::ALL {
            let limits = platform.limits();
            assert_eq!(limits.workgroup_size[0], limits.threads);
        }
    }
}
