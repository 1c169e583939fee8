//! "Did you mean" for what only the verifier can miss: symbols, and
//! attributes that an operation has but not under the name given.

use super::Check;
use crate::attr::AttrKind;
use crate::diag::Diagnostic;
use crate::text::nearest;

/// The diagnostic with the way out, if a name on the operation is nearly one
/// that there is.
pub(super) fn with_help(check: &Check, diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.help.is_some() {
        return diagnostic;
    }
    match symbol(check) {
        Some(near) => diagnostic.with_near("@", Some(near)),
        None => diagnostic.with_near("", attribute(check)),
    }
}

/// The symbol nearest to one that the operation refers to and that there is not.
fn symbol<'a>(check: &Check<'a>) -> Option<&'a str> {
    let ctx = check.ctx();
    let data = check.data();
    let scope = check.scope.symbol_scope()?;
    let table = scope.symbols.as_ref()?;
    let entries = data.properties.entries(ctx).iter();
    let mut entries = entries.chain(data.attributes.entries(ctx));
    entries.find_map(|&(_, value)| match value.kind(ctx) {
        AttrKind::Symbol { root, .. } if !table.contains(*root) => {
            nearest(ctx.str(*root), table.names().map(|name| ctx.str(name)))
        }
        _ => None,
    })
}

/// The declared attribute nearest to one that the operation has besides.
fn attribute(check: &Check) -> Option<&'static str> {
    let ctx = check.ctx();
    let data = check.data();
    let declared = data.name.def()?.attrs;
    let missing = || {
        let names = declared.iter().map(|attr| attr.name);
        names.filter(|name| data.attr(ctx, name).is_none())
    };
    let given = data.attributes.entries(ctx).iter();
    given
        .filter_map(|&(name, _)| nearest(ctx.str(name), missing()))
        .next()
}
