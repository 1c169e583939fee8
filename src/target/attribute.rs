//! `#spirv.target_env` as a target: a module may use its version, capabilities, extensions and
//! limits only.

use gridloom_dialects::{gpu, inherent};
use gridloom_ir::{Attr, Context, Diagnostic, Module};
use gridloom_spirv::{
    Features, FloatControl, FloatControls, Language, Limits, ParamsClass, Profile, Promise,
    SpirvVersion, TargetEnv,
};

use super::CompileTarget;

/// Bytes of push constants that every device supports.
const LEAST_IMMEDIATES: u32 = 128;

impl CompileTarget {
    /// Finds the target that a module names: by its attribute `spirv.target_env`, else by the one
    /// target that its `gpu.module`s share.
    ///
    /// # Errors
    ///
    /// `gpu.module`s with several targets, and targets without compute shaders.
    pub fn of_module(ctx: &Context, module: &Module) -> Result<Option<Self>, Box<Diagnostic>> {
        let refuse = |message: String| Box::new(Diagnostic::error(module.op().loc, message));
        let own = module.op().get(ctx, inherent::SPIRV_TARGET_ENV);
        let found = match own {
            Some(attr) => Some(attr),
            None => shared(ctx, module).map_err(refuse)?,
        };
        let target = found.map(|attr| of_attribute(ctx, attr).map_err(refuse));
        target.transpose()
    }
}

/// The common target of all `gpu.module`s that have one.
fn shared(ctx: &Context, module: &Module) -> Result<Option<Attr>, String> {
    let modules = module.ops().filter(|(_, data)| data.name == gpu::MODULE);
    let lists = modules.filter_map(|(_, data)| data.get(ctx, inherent::TARGETS));
    let is_env = |attr: &&Attr| attr.params(ctx, "spirv", "target_env").is_some();
    let mut found = None;
    for &attr in lists.flatten().filter(is_env) {
        if found.is_some_and(|found| found != attr) {
            let message = "the gpu.modules have several targets: choose one with --target";
            return Err(message.to_owned());
        }
        found = Some(attr);
    }
    Ok(found)
}

fn of_attribute(ctx: &Context, attr: Attr) -> Result<CompileTarget, String> {
    let malformed = || "malformed '#spirv.target_env': run the verifier on the module".to_owned();
    let params = attr.params(ctx, "spirv", "target_env");
    let Some(&[triple, api, _, _, _, limits]) = params else {
        return Err(malformed());
    };
    let Some(&[version, capabilities, extensions]) = triple.params(ctx, "spirv", "vce") else {
        return Err(malformed());
    };
    let names = |list: Attr| -> Vec<&str> {
        let list = list.as_array(ctx).unwrap_or_default();
        list.iter().filter_map(|attr| attr.as_str(ctx)).collect()
    };
    let (capabilities, extensions) = (names(capabilities), names(extensions));
    let minor = version
        .as_str(ctx)
        .and_then(|text| text.strip_prefix("v1."));
    let version = minor.and_then(|minor| SpirvVersion::new(minor.parse().ok()?));
    let version = version.ok_or_else(malformed)?;
    if !capabilities.contains(&"Shader") {
        let message = "the target of the module has no capability Shader, which kernels need";
        return Err(message.to_owned());
    }
    let language = match api.as_str(ctx) {
        Some("OpenCL") => {
            return Err("the target of the module is OpenCL, and kernels are shaders".to_owned());
        }
        Some("WebGPU") => Some(Language::Wgsl),
        Some("Metal") => Some(Language::Msl),
        _ => None,
    };
    let (profile, params) = match language {
        Some(_) => (Profile::Portable, ParamsClass::Uniform),
        None => (Profile::Native, ParamsClass::Immediates),
    };
    let has = Allowed {
        version,
        capabilities: &capabilities,
        extensions: &extensions,
    };
    let env = TargetEnv {
        profile,
        version,
        params,
        storage_class_extension: extensions.contains(&"SPV_KHR_storage_buffer_storage_class"),
        limits: limits_of(ctx, limits).ok_or_else(malformed)?,
        features: Features {
            f64: has.capability("Float64"),
            i64: has.capability("Int64"),
            i64_atomic: has.capability("Int64Atomics"),
            f32_atomic_add: has.capability("AtomicFloat32AddEXT")
                && extensions.contains(&"SPV_EXT_shader_atomic_float_add"),
            storage8: has.capability("StorageBuffer8BitAccess")
                && (version >= SpirvVersion::V1_5 || extensions.contains(&"SPV_KHR_8bit_storage")),
            storage16: has.capability("StorageBuffer16BitAccess")
                && (version >= SpirvVersion::V1_3 || extensions.contains(&"SPV_KHR_16bit_storage")),
            ..Features::default()
        },
        float_controls: has.float_controls(),
        ..TargetEnv::default()
    };
    Ok(CompileTarget {
        name: Some("the module's #spirv.target_env".to_owned()),
        env,
        language,
        ..CompileTarget::any()
    })
}

/// Features that a target allows a module to declare.
struct Allowed<'a> {
    version: SpirvVersion,
    capabilities: &'a [&'a str],
    extensions: &'a [&'a str],
}

impl Allowed<'_> {
    fn capability(&self, name: &str) -> bool {
        self.capabilities.contains(&name)
    }

    /// Capabilities do not distinguish float widths.
    fn float_controls(&self) -> FloatControls {
        let is_known = self.version >= SpirvVersion::V1_4
            || self.extensions.contains(&"SPV_KHR_float_controls");
        let promise = |name| match is_known && self.capability(name) {
            true => Promise::OnRequest,
            false => Promise::None,
        };
        let control = FloatControl {
            specials: promise("SignedZeroInfNanPreserve"),
            denormals: promise("DenormPreserve"),
            rounding: promise("RoundingModeRTE"),
        };
        FloatControls {
            f32: control,
            f64: control,
        }
    }
}

/// Reads `#spirv.resource_limits`.
fn limits_of(ctx: &Context, attr: Attr) -> Option<Limits> {
    let params = attr.params(ctx, "spirv", "resource_limits")?;
    let [memory, threads, size, ..] = params else {
        return None;
    };
    let number = |attr: &Attr| u32::try_from(attr.as_i64(ctx)?).ok();
    let size: Option<Vec<u32>> = size.as_array(ctx)?.iter().map(number).collect();
    Some(Limits {
        workgroup_size: size?.try_into().ok()?,
        threads: number(threads)?,
        workgroup_bytes: number(memory)?,
        storage_buffers: u32::MAX,
        immediate_bytes: LEAST_IMMEDIATES,
    })
}
