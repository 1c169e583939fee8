//! Result names of constants: the parts that dialects with constants share.

use std::borrow::Cow;

use gridloom_ir::attr::{AttrKind, Int};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;

/// Returns the number of an integer constant.
pub(crate) fn integer<'c>(ctx: &'c Context, body: &Body, op: OpId) -> Option<&'c Int> {
    match body[op].attr(ctx, "value")?.kind(ctx) {
        AttrKind::Integer { value, .. } => Some(value),
        _ => None,
    }
}

/// Names a Boolean constant.
pub(crate) fn bool_name(value: &Int) -> Cow<'static, str> {
    let name = match *value == Int::Small(0) {
        true => "false",
        false => "true",
    };
    name.into()
}
