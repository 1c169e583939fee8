//! Targets of ahead-of-time compilation: a platform by name, a device by its profile, or the
//! `#spirv.target_env` of a module.

mod attribute;
mod profile;

use gridloom_codegen::target::{OffloadOptions, Target};
use gridloom_spirv::{Extensions, FloatControls, Language, Limits, Platform, TargetEnv};

use crate::session;
pub use profile::{DeviceProfile, ProfileError};

/// A target of compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileTarget {
    /// Name in messages; `None` for any device.
    pub name: Option<String>,
    /// Environment that kernels are compiled for.
    pub env: TargetEnv,
    /// Shading language, where the target does not accept SPIR-V.
    pub language: Option<Language>,
    /// Offload options for the target, without its limits.
    mapping: OffloadOptions,
}

impl CompileTarget {
    /// Target for any device: the module states the features that a device must have.
    pub fn any() -> Self {
        let mut env = TargetEnv {
            float_controls: FloatControls::ALL,
            ..TargetEnv::default()
        };
        (env.features.f64, env.features.i64) = (true, true);
        CompileTarget {
            name: None,
            env,
            language: None,
            mapping: OffloadOptions::default(),
        }
    }

    /// Target for every device of a platform.
    pub fn platform(platform: Platform) -> Self {
        CompileTarget {
            name: Some(platform.name().to_owned()),
            env: platform.env(),
            language: platform.language(),
            mapping: OffloadOptions::default(),
        }
    }

    /// Target for any device that takes a shading language: nests of 64-bit types that it lacks stay on the host.
    pub fn language(language: Language, extensions: Extensions) -> Self {
        let mut target = CompileTarget::any();
        let wide = language.wide_types(extensions);
        (target.env.features.f64, target.env.features.i64) = (wide.f64, wide.i64);
        target.env.limits = language.limits();
        target.name = Some(language.name().to_owned());
        target.language = Some(language);
        target
    }

    /// The offload options within the target's limits: nests that the target does not support stay
    /// on the host.
    pub fn offload_options(&self) -> OffloadOptions {
        let Limits {
            threads,
            workgroup_bytes,
            storage_buffers,
            ..
        } = self.env.limits;
        let mapping = self.mapping.clone();
        OffloadOptions {
            max_threads: mapping.max_threads.min(threads.into()),
            workgroup_memory: mapping.workgroup_memory.min(workgroup_bytes.into()),
            target: self.name.clone().map(|name| Target {
                name,
                f64: self.env.features.f64,
                i64: self.env.features.i64,
                i64_atomic: self.env.features.i64_atomic,
                workgroup_memory: workgroup_bytes.into(),
                matrices: (self.env.features.matrices.iter())
                    .map(session::product)
                    .collect(),
                storage_buffers: Some(storage_buffers),
            }),
            ..mapping
        }
    }
}
