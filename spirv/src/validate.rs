//! Portability check: whether naga parses and validates a module.

use std::fmt;

use naga::front::spv;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

/// Rejection of a module by naga.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PortabilityError(String);

impl fmt::Display for PortabilityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PortabilityError {}

/// A module that naga has parsed and validated.
pub(crate) struct Portable {
    pub(crate) module: naga::Module,
    pub(crate) info: ModuleInfo,
}

/// Parses and validates SPIR-V with naga.
pub(crate) fn portable(words: &[u32]) -> Result<Portable, PortabilityError> {
    let options = spv::Options {
        adjust_coordinate_space: false,
        strict_capabilities: true,
        block_ctx_dump_prefix: None,
    };
    let module = spv::Frontend::new(words.iter().copied(), &options)
        .parse()
        .map_err(|error| PortabilityError(format!("naga cannot read the module: {error}")))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| {
            // The message proper is at the end of the chain of causes.
            let mut message = format!("naga refuses the module: {error}");
            let mut cause = std::error::Error::source(error.as_inner());
            while let Some(error) = cause {
                message.push_str(&format!(": {error}"));
                cause = error.source();
            }
            PortabilityError(message)
        })?;
    Ok(Portable { module, info })
}

/// Whether naga reads and validates a module, as [`crate::Profile::Portable`]
/// promises.
///
/// # Errors
///
/// What naga objects to.
pub fn check_portable(words: &[u32]) -> Result<(), PortabilityError> {
    portable(words).map(|_| ())
}
