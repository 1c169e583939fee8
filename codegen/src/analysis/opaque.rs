//! Opaque operations: those whose effects no analysis knows.

use gridloom_dialects::{affine, func, memref};
use gridloom_ir::{Diagnostic, Loc, OpId};

use super::access::{Access, Place};
use super::values::AffineValues;

/// Opaque operation, which ties all iterations that run it: its name and its place, for remarks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    name: Box<str>,
    what: &'static str,
    at: Loc,
}

impl Opaque {
    /// Opaque operation `op`.
    pub fn new(values: &AffineValues, op: OpId) -> Self {
        let op = &values.body[op];
        let what = match op.name {
            affine::DMA_START | affine::DMA_WAIT | memref::DMA_START | memref::DMA_WAIT => {
                "a transfer that does not become loads and stores (docs/memory.md)"
            }
            // Those of nests that have become functions, too (`outline-affine-scopes`).
            func::CALL => {
                "an operation with unknown side effects; the loops of a function are mapped by themselves"
            }
            _ => "an operation with unknown side effects",
        };
        Opaque {
            name: values.ctx.op_name_str(op.name).into(),
            what,
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
        let message = format!("{start} '{}', {}", self.name, self.what);
        Diagnostic::remark(loc, message).with_note(self.at, "this operation")
    }
}
