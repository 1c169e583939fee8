//! SPIR-V as text.

use std::fmt;

use rspirv::binary::Disassemble;

/// Words that are no SPIR-V module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DisassemblyError(String);

impl fmt::Display for DisassemblyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a SPIR-V module: {}", self.0)
    }
}

impl std::error::Error for DisassemblyError {}

/// The assembly text of a module, as `spirv-as` reads it.
///
/// # Errors
///
/// Where the words are no SPIR-V module.
pub fn disassemble(words: &[u32]) -> Result<String, DisassemblyError> {
    let module =
        rspirv::dr::load_words(words).map_err(|error| DisassemblyError(error.to_string()))?;
    Ok(module.disassemble())
}
