//! Discardable attributes that a dialect claims by prefix, such as
//! `spirv.entry_point_abi`: on an operation, or on the arguments and results of
//! a function.

use super::{AttributeCheck, Carrier, Check, Checked};
use crate::attr::{Attr, AttrDict, AttrKind};
use crate::attr_names;

/// Checks the discardable attributes of an operation.
pub(super) fn verify(check: &Check) -> Checked {
    let data = check.data();
    if !data.attributes.is_empty() {
        verify_dict(check, Carrier::Operation, data.attributes)?;
    }
    if data.isolated().is_none() || data.properties.is_empty() {
        return Ok(());
    }
    let ctx = check.ctx();
    let lists = data.attrs(ctx, [attr_names::ARG_ATTRS, attr_names::RES_ATTRS]);
    if lists.iter().all(Option::is_none) {
        return Ok(());
    }
    let ty = data
        .attr(ctx, attr_names::FUNCTION_TYPE)
        .and_then(|ty| ty.as_type(ctx));
    let (inputs, results) = ty.and_then(|ty| ty.function(ctx)).unwrap_or_default();
    for (dict, &ty) in dicts(check, lists[0]).zip(inputs) {
        verify_dict(check, Carrier::Argument(ty), dict)?;
    }
    for (dict, &ty) in dicts(check, lists[1]).zip(results) {
        verify_dict(check, Carrier::Result(ty), dict)?;
    }
    Ok(())
}

/// Whether an operation has a discardable attribute that some dialect checks.
pub(super) fn are_checked(check: &Check) -> bool {
    let ctx = check.ctx();
    let mut entries = check.data().attributes.entries(ctx).iter();
    entries.any(|entry| check_of(check, ctx.str(entry.0)).is_some())
}

/// The check of the dialect that the attribute's prefix names.
fn check_of(check: &Check, name: &str) -> Option<AttributeCheck> {
    let (dialect, _) = name.split_once('.')?;
    check.scope.checks.attribute(dialect)
}

fn dicts<'a>(check: &Check<'a>, list: Option<Attr>) -> impl Iterator<Item = AttrDict> + use<'a> {
    let ctx = check.ctx();
    let items = list.and_then(|list| list.as_array(ctx)).unwrap_or(&[]);
    items.iter().map(|item| match item.kind(ctx) {
        AttrKind::Dict(dict) => *dict,
        _ => AttrDict::EMPTY,
    })
}

fn verify_dict(check: &Check, carrier: Carrier, dict: AttrDict) -> Checked {
    let ctx = check.ctx();
    for &(name, value) in dict.entries(ctx) {
        let name = ctx.str(name);
        if let Some(verify) = check_of(check, name) {
            verify(check, carrier, name, value)?;
        }
    }
    Ok(())
}
