//! The language in which custom forms are declared.

use crate::context::Context;
use crate::op::OpDef;

/// A compiled declared form.
#[derive(Debug)]
pub struct Format {}

impl Format {
    /// Compiles a declaration.
    pub(crate) fn compile(_: &Context, _: &OpDef, text: &str) -> Result<Format, String> {
        Err(format!("not compiled: {text}"))
    }
}
