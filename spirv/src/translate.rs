//! SPIR-V of the portable profile to other shading languages, through naga.

use naga::back::{glsl, hlsl, msl, wgsl};

use crate::validate::{PortabilityError, portable};

/// A language that [`translate`] writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// WebGPU's.
    Wgsl,
    /// Metal's.
    Msl,
    /// Direct3D's.
    Hlsl,
    /// OpenGL's, version 4.50 with explicit bindings.
    Glsl,
}

/// Translates a module of the portable profile. GLSL has one entry point a
/// file, so `entry_point` chooses one; the other languages take all of them.
///
/// # Errors
///
/// What naga objects to: a module of the native profile may contain what it
/// does not know.
pub fn translate(
    words: &[u32],
    entry_point: &str,
    language: Language,
) -> Result<String, PortabilityError> {
    let input = portable(words)?;
    let (module, info) = (&input.module, &input.info);
    let failed = |error: String| PortabilityError::new(format!("naga cannot write this: {error}"));
    match language {
        Language::Wgsl => wgsl::write_string(module, info, wgsl::WriterFlags::empty())
            .map_err(|error| failed(error.to_string())),
        Language::Msl => {
            let options = msl::Options::default();
            let pipeline = msl::PipelineOptions::default();
            msl::write_string(module, info, &options, &pipeline)
                .map(|(text, _)| text)
                .map_err(|error| failed(error.to_string()))
        }
        Language::Hlsl => {
            let mut text = String::new();
            let options = hlsl::Options::default();
            let pipeline = hlsl::PipelineOptions::default();
            hlsl::Writer::new(&mut text, &options, &pipeline)
                .write(module, info, None)
                .map_err(|error| failed(error.to_string()))?;
            Ok(text)
        }
        Language::Glsl => {
            let mut text = String::new();
            let options = glsl::Options {
                version: glsl::Version::Desktop(450),
                ..glsl::Options::default()
            };
            let pipeline = glsl::PipelineOptions {
                shader_stage: naga::ShaderStage::Compute,
                entry_point: entry_point.to_owned(),
                multiview: None,
            };
            let policies = naga::proc::BoundsCheckPolicies::default();
            glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies)
                .and_then(|mut writer| writer.write())
                .map_err(|error| failed(error.to_string()))?;
            Ok(text)
        }
    }
}
