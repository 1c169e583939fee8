//! SPIR-V of the portable profile to other shading languages, through naga.
//!
//! Bindings and workgroup sizes are those of the SPIR-V in every language, and
//! so is the name of an entry point but in GLSL, which has only `main`. What
//! naga would write without the language having it is refused before.

mod entry_names;
mod header;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::back::{glsl, hlsl, msl, wgsl};
use naga::{ResourceBinding, ScalarKind, TypeInner};

use crate::EntryPoint;
use crate::platform::Limits;
use crate::validate::{Portable, portable};

/// A language that [`translate`] writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// WebGPU's.
    Wgsl,
    /// Metal's, version 2.4.
    Msl,
    /// Direct3D's, of shader model 5.1, or 6.2 where 64-bit types need it.
    Hlsl,
    /// OpenGL's, version 4.50.
    Glsl,
    /// OpenGL ES's, version 3.10.
    Essl,
}

impl Language {
    /// The name people use.
    pub fn name(self) -> &'static str {
        match self {
            Language::Wgsl => "WGSL",
            Language::Msl => "MSL",
            Language::Hlsl => "HLSL",
            Language::Glsl => "GLSL",
            Language::Essl => "GLSL ES",
        }
    }

    /// The numbers of 64 bits that the language has.
    pub fn wide_types(self, extensions: Extensions) -> WideTypes {
        let (f64, i64) = match self {
            Language::Wgsl => {
                let is_naga = extensions == Extensions::Naga;
                (is_naga, is_naga)
            }
            Language::Msl => (false, true),
            Language::Hlsl => (true, true),
            Language::Glsl => (true, false),
            Language::Essl => (false, false),
        };
        WideTypes { f64, i64 }
    }

    /// The limits that the language itself has: of HLSL those of `numthreads`, of Metal those of every GPU family.
    pub fn limits(self) -> Limits {
        let threads = 1024;
        let workgroup_size = match self {
            Language::Hlsl => [1024, 1024, 64],
            Language::Msl => [1024; 3],
            Language::Wgsl | Language::Glsl | Language::Essl => return Limits::NONE.portable(),
        };
        Limits {
            workgroup_size,
            threads,
            ..Limits::NONE
        }
    }
}

/// Numbers of 64 bits, which not every language has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WideTypes {
    /// Whether there are floats.
    pub f64: bool,
    /// Whether there are integers.
    pub i64: bool,
}

/// Language extensions that a translation may use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extensions {
    /// The language as its standard has it.
    None,
    /// `f64` and `i64` in WGSL, which naga takes and no browser does.
    Naga,
}

/// Translation failure of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranslationError(String);

impl fmt::Display for TranslationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TranslationError {}

/// The highest slot of a buffer in Metal.
const LAST_METAL_SLOT: u32 = 30;

/// The most kernels in one MSL text: naga names all of a module anew for each
/// of its entry points, so a thousand take seconds and ten thousand minutes.
const MAX_METAL_KERNELS: usize = 1000;

/// Translates a module of the portable profile with these entry points, all
/// into one text. It starts with comments that say how each is launched.
///
/// # Errors
///
/// A type that the language does not have; several entry points in GLSL; what
/// naga objects to, since a module of the native profile may contain what it
/// does not know.
pub fn translate(
    words: &[u32],
    entries: &[EntryPoint],
    language: Language,
    extensions: Extensions,
) -> Result<String, TranslationError> {
    let input =
        catch_panics(|| portable(words).map_err(|error| TranslationError(error.to_string())))?;
    check_types(&input.module, language, extensions)?;
    let text = catch_panics(|| match language {
        Language::Wgsl => to_wgsl(&input),
        Language::Msl => to_msl(&input),
        Language::Hlsl => to_hlsl(&input),
        Language::Glsl => to_glsl(&input, glsl::Version::Desktop(450)),
        Language::Essl => to_glsl(&input, glsl::Version::new_gles(310)),
    })?;
    let kernels = input.module.entry_points.iter().map(|e| &e.name[..]);
    let (text, names) = entry_names::restore(text, language, kernels);
    // GLSL ES has its version in the first line, before any comment.
    let version_end = match language {
        Language::Essl => text.find('\n').map_or(0, |end| end + 1),
        _ => 0,
    };
    let (version, text) = text.split_at(version_end);
    let mut all = String::with_capacity(text.len() + 256);
    all.push_str(version);
    for entry in entries {
        let called = names.get(&entry.name).unwrap_or(&entry.name);
        header::write(&mut all, entry, called);
    }
    let besides = next_binding(&input.module);
    match language {
        Language::Hlsl if uses_grid_size(&input.module) => {
            header::write_grid_size(&mut all, besides);
        }
        Language::Msl if text.contains("_buffer_sizes") => header::write_sizes(&mut all, besides),
        _ => {}
    }
    all.push_str(text);
    Ok(all)
}

/// Catches panics of naga, which has no code for some valid modules (64-bit floats in MSL, for
/// one). Known cases are refused before; an unknown one must not end the process.
fn catch_panics<T>(
    work: impl FnOnce() -> Result<T, TranslationError>,
) -> Result<T, TranslationError> {
    // A panic unwinds through all that it leaves half-done, which is dropped.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(TranslationError(format!(
            "naga failed on this module, which it should take or refuse: {}",
            words.unwrap_or("no reason given")
        )))
    })
}

fn failed(error: impl fmt::Display) -> TranslationError {
    TranslationError(format!("naga cannot write this: {error}"))
}

/// Refuses 64-bit types where the language lacks them.
fn check_types(
    module: &naga::Module,
    language: Language,
    extensions: Extensions,
) -> Result<(), TranslationError> {
    let (f64, i64) = (
        has_wide(module, &[ScalarKind::Float]),
        has_wide(module, &[ScalarKind::Sint, ScalarKind::Uint]),
    );
    let allowed = language.wide_types(extensions);
    let lacks = match (f64 && !allowed.f64, i64 && !allowed.i64) {
        (false, false) => return Ok(()),
        (true, false) => "64-bit floats",
        (false, true) => "64-bit integers",
        (true, true) => "64-bit floats and integers",
    };
    let way_out = match language {
        Language::Wgsl => {
            "use 32-bit types, or allow what only naga reads (--wgsl-extensions=naga)"
        }
        _ => "use 32-bit types, or emit SPIR-V",
    };
    let name = language.name();
    Err(TranslationError(format!(
        "{name} has no {lacks}: {way_out}"
    )))
}

/// Whether some type holds 64-bit scalars of one of these kinds.
fn has_wide(module: &naga::Module, kinds: &[ScalarKind]) -> bool {
    let scalars = module.types.iter().filter_map(|(_, ty)| match ty.inner {
        TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } => Some(scalar),
        _ => None,
    });
    scalars
        .into_iter()
        .any(|scalar| scalar.width == 8 && kinds.contains(&scalar.kind))
}

/// The bindings of all variables, each once.
fn bindings(module: &naga::Module) -> Vec<ResourceBinding> {
    let all = module.global_variables.iter();
    let mut bindings: Vec<ResourceBinding> = all.filter_map(|(_, v)| v.binding).collect();
    bindings.sort_unstable();
    bindings.dedup();
    bindings
}

/// The first binding after all others, for the buffer that a language adds: in MSL the sizes of
/// buffers, in HLSL the number of workgroups.
fn next_binding(module: &naga::Module) -> u32 {
    let last = bindings(module).last().map(|last| last.binding);
    last.map_or(0, |last| last + 1)
}

fn to_wgsl(input: &Portable) -> Result<String, TranslationError> {
    let flags = wgsl::WriterFlags::empty();
    wgsl::write_string(&input.module, &input.info, flags).map_err(failed)
}

fn to_msl(input: &Portable) -> Result<String, TranslationError> {
    let kernels = input.module.entry_points.len();
    if kernels > MAX_METAL_KERNELS {
        let message = format!(
            "{kernels} kernels are too many for one MSL text, which takes at most \
             {MAX_METAL_KERNELS}: translate them one by one"
        );
        return Err(TranslationError(message));
    }
    let sizes = next_binding(&input.module);
    if sizes > LAST_METAL_SLOT {
        let message = format!(
            "MSL has buffers 0 to {LAST_METAL_SLOT}, and the kernel needs {sizes}: pass fewer \
             memrefs"
        );
        return Err(TranslationError(message));
    }
    let mut resources = msl::EntryPointResources {
        sizes_buffer: Some(sizes as u8),
        ..msl::EntryPointResources::default()
    };
    for binding in bindings(&input.module) {
        let target = msl::BindTarget {
            buffer: Some(binding.binding as u8),
            mutable: true,
            ..msl::BindTarget::default()
        };
        resources.resources.insert(binding, target);
    }
    let entries = input.module.entry_points.iter();
    let per_entry_point_map = entries
        .map(|entry| (entry.name.clone(), resources.clone()))
        .collect();
    let options = msl::Options {
        lang_version: (2, 4),
        per_entry_point_map,
        fake_missing_bindings: false,
        // Kernels carry the guards they need.
        zero_initialize_workgroup_memory: false,
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..msl::Options::default()
    };
    let pipeline = msl::PipelineOptions::default();
    let written = msl::write_string(&input.module, &input.info, &options, &pipeline);
    let (text, info) = written.map_err(failed)?;
    match info.entry_point_names.into_iter().find_map(Result::err) {
        Some(error) => Err(failed(error)),
        None => Ok(text),
    }
}

fn to_hlsl(input: &Portable) -> Result<String, TranslationError> {
    let target = |register| hlsl::BindTarget {
        register,
        ..hlsl::BindTarget::default()
    };
    let binding_map = bindings(&input.module)
        .into_iter()
        .map(|binding| (binding, target(binding.binding)))
        .collect();
    let wide = has_wide(
        &input.module,
        &[ScalarKind::Float, ScalarKind::Sint, ScalarKind::Uint],
    );
    let options = hlsl::Options {
        shader_model: if wide {
            hlsl::ShaderModel::V6_2
        } else {
            hlsl::ShaderModel::V5_1
        },
        binding_map,
        fake_missing_bindings: false,
        special_constants_binding: uses_grid_size(&input.module)
            .then(|| target(next_binding(&input.module))),
        // Kernels carry the guards they need.
        zero_initialize_workgroup_memory: false,
        restrict_indexing: false,
        force_loop_bounding: false,
        ..hlsl::Options::default()
    };
    let mut text = String::new();
    let pipeline = hlsl::PipelineOptions::default();
    let written =
        hlsl::Writer::new(&mut text, &options, &pipeline).write(&input.module, &input.info, None);
    let info = written.map_err(failed)?;
    match info.entry_point_names.into_iter().find_map(Result::err) {
        Some(error) => Err(failed(error)),
        None => Ok(text),
    }
}

/// Whether an entry point asks for the number of workgroups, which Direct3D
/// does not know: the host passes it.
fn uses_grid_size(module: &naga::Module) -> bool {
    let wanted = naga::Binding::BuiltIn(naga::BuiltIn::NumWorkGroups);
    module.entry_points.iter().any(|entry| {
        let arguments = &entry.function.arguments;
        arguments
            .iter()
            .any(|a| a.binding.as_ref() == Some(&wanted))
    })
}

fn to_glsl(input: &Portable, version: glsl::Version) -> Result<String, TranslationError> {
    let [entry] = &input.module.entry_points[..] else {
        let count = input.module.entry_points.len();
        let message = format!("GLSL has one entry point a file, and here are {count}");
        return Err(TranslationError(message));
    };
    let mut binding_map = glsl::BindingMap::default();
    for binding in bindings(&input.module) {
        let slot = u8::try_from(binding.binding)
            .map_err(|_| failed(format!("no GLSL binding {}", binding.binding)))?;
        binding_map.insert(binding, slot);
    }
    let options = glsl::Options {
        version,
        binding_map,
        writer_flags: glsl::WriterFlags::empty(),
        zero_initialize_workgroup_memory: false,
    };
    let pipeline = glsl::PipelineOptions {
        shader_stage: naga::ShaderStage::Compute,
        entry_point: entry.name.clone(),
        multiview: None,
    };
    // Kernels carry the guards they need.
    let policies = naga::proc::BoundsCheckPolicies::default();
    let mut text = String::new();
    glsl::Writer::new(
        &mut text,
        &input.module,
        &input.info,
        &options,
        &pipeline,
        policies,
    )
    .and_then(|mut writer| writer.write())
    .map_err(failed)?;
    Ok(text)
}
