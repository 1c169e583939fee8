//! Buffers of a kernel: the memrefs that a nest would be given, and the buffer for its fault
//! report.

use std::collections::HashSet;

use gridloom_dialects::{cf, gridloom};
use gridloom_ir::{Body, Context, OpId, Value};

use super::access::is_memref;

/// Storage buffers that the kernel of a nest binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Buffers {
    /// Memrefs defined outside of the nest.
    pub(crate) memrefs: u32,
    /// Whether an access or an assertion may fail: the kernel then has one more buffer for the
    /// fault report.
    pub(crate) reports: bool,
}

impl Buffers {
    /// Counts the buffers that the operations below a loop need.
    pub(crate) fn of(ctx: &Context, body: &Body, root: OpId) -> Self {
        let below = body.walk_op(root);
        let mut inside: HashSet<Value> = HashSet::new();
        for &op in &below {
            inside.extend(body[op].results());
        }
        let used = below
            .iter()
            .flat_map(|&op| body[op].operands.iter().copied());
        let outer: HashSet<Value> = used
            .filter(|value| is_memref(ctx, body, *value) && !inside.contains(value))
            .collect();
        let reports = below.iter().any(|&op| {
            let data = &body[op];
            data.name == cf::ASSERT
                || (gridloom::is_element_access(data.name) && !gridloom::is_in_bounds(ctx, data))
        });
        Buffers {
            memrefs: u32::try_from(outer.len()).unwrap_or(u32::MAX),
            reports,
        }
    }

    /// Number of storage buffers, the fault report included.
    pub(crate) fn count(self) -> u32 {
        self.memrefs.saturating_add(self.reports.into())
    }
}
