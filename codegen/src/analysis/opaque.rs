//! Opaque operations: those whose effects no analysis knows.

use gridloom_ir::{Diagnostic, Loc, OpId};

use super::access::{Access, Place};
use super::values::AffineValues;

/// Opaque operation, which ties all iterations that run it: its name and its place, for remarks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    name: Box<str>,
    at: Loc,
}

impl Opaque {
    /// Opaque operation `op`.
    pub fn new(values: &AffineValues, op: OpId) -> Self {
        let op = &values.body[op];
        Opaque {
            name: values.ctx.op_name_str(op.name).into(),
            at: op.loc,
        }
    }

    /// The first opaque operation among those of `accesses`.
    pub fn among<'a>(
        values: &AffineValues,
        accesses: impl IntoIterator<Item = &'a Access>,
    ) -> Option<Self> {
        let mut accesses = accesses.into_iter();
        let opaque = accesses.find(|access| access.place == Place::Anything)?;
        Some(Opaque::new(values, opaque.op))
    }

    /// Remark on `loc` that begins with `start`, such as "this loop nest runs on the host: it has",
    /// and names the operation.
    pub fn remark(&self, loc: Loc, start: &str) -> Diagnostic {
        let what = match self.name.ends_with(".dma_start") || self.name.ends_with(".dma_wait") {
            true => "a transfer that does not become loads and stores (docs/memory.md)",
            false => "an operation with unknown side effects",
        };
        let message = format!("{start} '{}', {what}", self.name);
        Diagnostic::remark(loc, message).with_note(self.at, "this operation")
    }
}
