//! Opaque operations: those whose effects no analysis knows.

use gridloom_dialects::{affine, memref};
use gridloom_ir::{Diagnostic, Loc, OpId};

use super::access::{Access, Place};
use super::values::AffineValues;

/// Opaque operation, which ties all iterations that run it: its name and its place, for remarks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    name: Box<str>,
    is_transfer: bool,
    at: Loc,
}

impl Opaque {
    /// Opaque operation `op`.
    pub fn new(values: &AffineValues, op: OpId) -> Self {
        let op = &values.body[op];
        let is_transfer = matches!(
            op.name,
            affine::DMA_START | affine::DMA_WAIT | memref::DMA_START | memref::DMA_WAIT
        );
        Opaque {
            name: values.ctx.op_name_str(op.name).into(),
            is_transfer,
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
        let what = match self.is_transfer {
            true => "a transfer that does not become loads and stores (docs/memory.md)",
            false => "an operation with unknown side effects",
        };
        let message = format!("{start} '{}', {what}", self.name);
        Diagnostic::remark(loc, message).with_note(self.at, "this operation")
    }
}
