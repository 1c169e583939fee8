//! Device profiles, which `gridloom devices --json` writes and `--target` reads.

use std::fmt;

use gridloom_gpu_runtime::{DeviceInfo, FeatureSet};
use gridloom_spirv::{
    Features, FloatControl, FloatControls, Limits, MatrixElement, MatrixProduct, MatrixProducts,
    ParamsClass, Profile, Promise, TargetEnv,
};
use serde::{Deserialize, Serialize};

use super::CompileTarget;
use crate::session;

/// Version of the JSON format: it changes where a field changes its meaning or is removed.
const SCHEMA: u32 = 1;

/// Device profile: what compilation for a device must know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeviceProfile {
    schema: u32,
    /// Name of the device and its driver.
    name: String,
    /// Graphics interface: `vulkan`, `metal`, `dx12`.
    backend: String,
    /// `discrete`, `integrated`, `virtual`, `other` or `software`.
    kind: String,
    /// Whether the driver computes on the CPU.
    is_software: bool,
    /// Whether the driver takes seconds to compile long kernels.
    compiles_slowly: bool,
    /// Whether the driver accepts SPIR-V unchanged.
    takes_spirv: bool,
    features: ProfileFeatures,
    float_controls: ProfileControls,
    /// Whether the driver folds sums with zeros despite the execution modes.
    folds_zeros: bool,
    /// Whether loops need a hint not to be unrolled.
    unrolls_slowly: bool,
    /// Whether the driver converts floats to integers lane by lane; not so in profiles of earlier versions.
    #[serde(default)]
    converts_by_lane: bool,
    limits: ProfileLimits,
    /// Cooperative-matrix products that kernels may use; empty in profiles of earlier versions.
    #[serde(default)]
    matrices: Vec<ProfileProduct>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct ProfileFeatures {
    f64: bool,
    i64: bool,
    i64_atomic: bool,
    f32_atomic_add: bool,
    /// Elements of one and of two bytes in storage buffers; not so in profiles of earlier versions.
    #[serde(default)]
    storage8: bool,
    #[serde(default)]
    storage16: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct ProfileControls {
    f32: ProfileControl,
    f64: ProfileControl,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct ProfileControl {
    specials: ProfilePromise,
    denormals: ProfilePromise,
    rounding: ProfilePromise,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ProfilePromise {
    None,
    Kept,
    OnRequest,
}

/// Limits, all sizes in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct ProfileLimits {
    buffer_size: u64,
    storage_binding_size: u64,
    storage_buffers: u32,
    immediate_bytes: u32,
    workgroups_per_dimension: u32,
    workgroup_size: [u32; 3],
    threads: u32,
    workgroup_bytes: u32,
}

/// Cooperative-matrix product: `m` by `k` times `k` by `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct ProfileProduct {
    m: u32,
    n: u32,
    k: u32,
    factors: ProfileElement,
    sums: ProfileElement,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ProfileElement {
    F16,
    F32,
}

/// Error: the reason why a text is no profile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProfileError(String);

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProfileError {}

impl DeviceProfile {
    /// Creates the profile of a device.
    pub fn new(info: &DeviceInfo) -> Self {
        let has = |feature| info.features.contains(feature);
        let takes_spirv = has(FeatureSet::PASSTHROUGH);
        let immediates = has(FeatureSet::IMMEDIATES) && takes_spirv;
        let controls = crate::gpu::float_controls(info, false);
        let limits = &info.limits;
        DeviceProfile {
            schema: SCHEMA,
            name: info.to_string(),
            backend: info.backend.clone(),
            kind: info.kind.to_string(),
            is_software: info.is_software(),
            compiles_slowly: info.compiles_slowly(),
            takes_spirv,
            features: ProfileFeatures {
                f64: has(FeatureSet::F64),
                i64: has(FeatureSet::I64),
                i64_atomic: has(FeatureSet::I64_ATOMIC),
                f32_atomic_add: has(FeatureSet::F32_ATOMIC_ADD),
                storage8: has(FeatureSet::STORAGE8),
                storage16: has(FeatureSet::STORAGE16),
            },
            float_controls: ProfileControls {
                f32: controls.f32.into(),
                f64: controls.f64.into(),
            },
            folds_zeros: info.folds_zeros(),
            unrolls_slowly: info.unrolls_slowly(),
            converts_by_lane: info.converts_by_lane(),
            limits: ProfileLimits {
                buffer_size: limits.buffer_size,
                storage_binding_size: limits.storage_binding_size,
                storage_buffers: limits.storage_buffers,
                immediate_bytes: if immediates { limits.immediate_size } else { 0 },
                workgroups_per_dimension: limits.workgroups_per_dimension,
                workgroup_size: limits.workgroup_size,
                threads: limits.workgroup_threads,
                workgroup_bytes: limits.workgroup_memory,
            },
            matrices: (crate::gpu::matrices(info).iter())
                .map(ProfileProduct::from)
                .collect(),
        }
    }

    /// Formats profiles as a JSON list, with a line end.
    pub fn to_json(profiles: &[DeviceProfile]) -> String {
        // Strings, numbers and flags always have a JSON form.
        let mut text = serde_json::to_string_pretty(profiles).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Parses one profile, alone or in a list.
    ///
    /// # Errors
    ///
    /// Text that is no profile, a profile of another version, or a list of several devices.
    pub fn parse(text: &[u8]) -> Result<Self, ProfileError> {
        let wrong =
            |error: serde_json::Error| ProfileError(format!("is not a device profile: {error}"));
        let is_list = text.trim_ascii_start().first() == Some(&b'[');
        let mut profiles: Vec<DeviceProfile> = match is_list {
            true => serde_json::from_slice(text).map_err(wrong)?,
            false => vec![serde_json::from_slice(text).map_err(wrong)?],
        };
        let profile = match (profiles.pop(), &profiles[..]) {
            (Some(profile), []) => profile,
            (None, _) => return Err(ProfileError("holds no device".to_owned())),
            (Some(_), others) => {
                let count = others.len() + 1;
                return Err(ProfileError(format!(
                    "holds {count} devices: write one with 'gridloom devices --json NAME'"
                )));
            }
        };
        match profile.schema {
            SCHEMA => Ok(profile),
            other => Err(ProfileError(format!(
                "has format version {other}, and this gridloom reads version {SCHEMA}"
            ))),
        }
    }

    fn products(&self) -> MatrixProducts {
        let mut found = MatrixProducts::default();
        for &product in &self.matrices {
            // Products with sizes that a set cannot hold are not used.
            let _ = found.insert(product.into());
        }
        found
    }

    /// The device as a compilation target.
    pub fn target(&self) -> CompileTarget {
        let limits = &self.limits;
        let env = TargetEnv {
            profile: match self.takes_spirv {
                true => Profile::Native,
                false => Profile::Portable,
            },
            features: Features {
                f64: self.features.f64,
                i64: self.features.i64,
                i64_atomic: self.features.i64_atomic,
                f32_atomic_add: self.features.f32_atomic_add,
                exact_division: false,
                matrices: self.products(),
                storage8: self.features.storage8,
                storage16: self.features.storage16,
            },
            params: match limits.immediate_bytes {
                0 => ParamsClass::Uniform,
                _ => ParamsClass::Immediates,
            },
            limits: Limits {
                workgroup_size: limits.workgroup_size,
                threads: limits.threads,
                workgroup_bytes: limits.workgroup_bytes,
                storage_buffers: limits.storage_buffers,
                immediate_bytes: limits.immediate_bytes,
            },
            float_controls: FloatControls {
                f32: self.float_controls.f32.into(),
                f64: self.float_controls.f64.into(),
            },
            keep_specials: true,
            hide_zeros: self.folds_zeros,
            keep_loops: self.unrolls_slowly,
            convert_by_bits: self.converts_by_lane,
            ..TargetEnv::default()
        };
        CompileTarget {
            name: Some(self.name.clone()),
            env,
            language: None,
            mapping: session::mapping_for(self.is_software, self.compiles_slowly),
        }
    }
}

impl From<MatrixProduct> for ProfileProduct {
    fn from(product: MatrixProduct) -> Self {
        let element = |element| match element {
            MatrixElement::F16 => ProfileElement::F16,
            MatrixElement::F32 => ProfileElement::F32,
        };
        ProfileProduct {
            m: product.m,
            n: product.n,
            k: product.k,
            factors: element(product.factors),
            sums: element(product.sums),
        }
    }
}

impl From<ProfileProduct> for MatrixProduct {
    fn from(product: ProfileProduct) -> Self {
        let element = |element| match element {
            ProfileElement::F16 => MatrixElement::F16,
            ProfileElement::F32 => MatrixElement::F32,
        };
        MatrixProduct {
            m: product.m,
            n: product.n,
            k: product.k,
            factors: element(product.factors),
            sums: element(product.sums),
        }
    }
}

impl From<FloatControl> for ProfileControl {
    fn from(control: FloatControl) -> Self {
        let promise = |promise| match promise {
            Promise::None => ProfilePromise::None,
            Promise::Kept => ProfilePromise::Kept,
            Promise::OnRequest => ProfilePromise::OnRequest,
        };
        ProfileControl {
            specials: promise(control.specials),
            denormals: promise(control.denormals),
            rounding: promise(control.rounding),
        }
    }
}

impl From<ProfileControl> for FloatControl {
    fn from(control: ProfileControl) -> Self {
        let promise = |promise| match promise {
            ProfilePromise::None => Promise::None,
            ProfilePromise::Kept => Promise::Kept,
            ProfilePromise::OnRequest => Promise::OnRequest,
        };
        FloatControl {
            specials: promise(control.specials),
            denormals: promise(control.denormals),
            rounding: promise(control.rounding),
        }
    }
}
