//! Asynchronous copies: `memref.dma_start` and `memref.dma_wait`.

use std::ops::Range;

use gridloom_ir::body::{Body, Value};
use gridloom_ir::context::Context;
use gridloom_ir::verify::{Check, Checked};

op_view! {
    /// `memref.dma_start`: begins a copy that a tag element identifies.
    DmaStartOp = super::DMA_START
}

/// An element of a memref: the memref and one index for each dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'b> {
    /// The memref.
    pub memref: Value,
    /// The indices.
    pub indices: &'b [Value],
}

/// The operands of a `memref.dma_start` by role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DmaParts<'b> {
    /// The first element read.
    pub source: Place<'b>,
    /// The first element written.
    pub target: Place<'b>,
    /// The number of elements.
    pub num_elements: Value,
    /// The tag element that the wait names.
    pub tag: Place<'b>,
    /// The stride in elements, and the number of elements copied per stride.
    pub stride: Option<(Value, Value)>,
}

impl DmaStartOp {
    /// The operands by role: source, target, element count, tag, stride.
    /// `None` when there are too few or too many.
    pub fn parts<'b>(self, ctx: &Context, body: &'b Body) -> Option<DmaParts<'b>> {
        let mut rest = &body[self.0].operands[..];
        let source = place(ctx, body, &mut rest)?;
        let target = place(ctx, body, &mut rest)?;
        let (&num_elements, after) = rest.split_first()?;
        rest = after;
        let tag = place(ctx, body, &mut rest)?;
        let stride = match *rest {
            [] => None,
            [stride, count] => Some((stride, count)),
            _ => return None,
        };
        Some(DmaParts {
            source,
            target,
            num_elements,
            tag,
            stride,
        })
    }
}

/// Splits a memref and its indices off the front.
fn place<'b>(ctx: &Context, body: &Body, rest: &mut &'b [Value]) -> Option<Place<'b>> {
    let (&memref, after) = rest.split_first()?;
    let rank = body.ty(memref).memref(ctx)?.rank();
    let (indices, after) = after.split_at_checked(rank)?;
    *rest = after;
    Some(Place { memref, indices })
}

op_view! {
    /// `memref.dma_wait`: waits for the copy of a tag element.
    DmaWaitOp = super::DMA_WAIT
}

impl DmaWaitOp {
    /// The tag element.
    pub fn tag(self, body: &Body) -> Place<'_> {
        let operands = &body[self.0].operands;
        Place {
            memref: operands[0],
            indices: &operands[1..operands.len() - 1],
        }
    }

    /// The number of elements that the copy moves.
    pub fn num_elements(self, body: &Body) -> Value {
        let operands = &body[self.0].operands;
        operands[operands.len() - 1]
    }
}

pub(super) fn verify_start(check: &Check) -> Checked {
    let (ctx, given) = (check.ctx(), check.data().operands.len());
    let at_least = |count: usize| {
        let message = format!("expected at least {count} operands");
        check.ensure(given >= count, message)
    };
    at_least(4)?;
    let is_index = |mut range: Range<usize>| range.all(|at| check.operand_type(at).is_index(ctx));
    // The element count precedes the tag.
    let (mut at, mut needed) = (0, 4);
    for (what, before) in [("source", 0), ("destination", 0), ("tag", 1)] {
        let count = is_index(at..at + before);
        check.ensure(count, "expected num elements to be of index type")?;
        at += before;
        let Some(memref) = check.operand_type(at).memref(ctx) else {
            return Err(check.error(format!("expected {what} to be of memref type")));
        };
        let rank = memref.rank();
        needed += rank;
        at_least(needed)?;
        let message = format!("expected {what} indices to be of index type");
        check.ensure(is_index(at + 1..at + 1 + rank), message)?;
        at += 1 + rank;
    }
    let fits = given == needed || given == needed + 2;
    check.ensure(fits, "incorrect number of operands")?;
    let message = "expected stride and num elements per stride to be of type index";
    check.ensure(is_index(needed..given), message)
}

pub(super) fn verify_wait(check: &Check) -> Checked {
    let rank = check
        .operand_type(0)
        .memref(check.ctx())
        .map_or(0, |memref| memref.rank());
    let given = check.data().operands.len() - 2;
    check.ensure(
        rank == given,
        format_args!(
            "expected tagIndices to have the same number of elements as the tagMemRef rank, expected {rank}, but got {given}"
        ),
    )
}
