//! Asm result names: the mnemonic names that rows give the results of some operations.

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::body::{Body, OpId};
use crate::context::Context;
use crate::text::Forms;
use crate::text::op_form::ResultName;

/// Returns the name of an operation's first result, unless that is a number.
pub(super) fn result_name(ctx: &Context, body: &Body, op: OpId) -> Option<Cow<'static, str>> {
    match Forms::of(ctx).row(body[op].name)?.result_name {
        ResultName::Number => Some(result_groups(ctx, body, op).first()?.1.into()),
        ResultName::Fixed(name) => Some(name.into()),
        ResultName::Of(name) => name(ctx, body, op),
    }
}

/// Returns the results that begin a group with a name of its own: operations whose rows divide
/// their results into several groups name each group that is not empty.
pub(super) fn result_groups(
    ctx: &Context,
    body: &Body,
    op: OpId,
) -> SmallVec<[(usize, &'static str); 4]> {
    let data = &body[op];
    let Some(def) = ctx
        .op_signature(data.name)
        .filter(|def| def.results.len() > 1)
    else {
        return SmallVec::new();
    };
    let groups = def.result_groups(ctx, data).unwrap_or_default();
    let named = groups.iter().zip(def.results);
    let named = named.filter(|(range, _)| !range.is_empty());
    named.map(|(range, def)| (range.start, def.name)).collect()
}
