//! "Did you mean" suggestions that only the verifier can make: for unresolved
//! symbols, and for missing attributes that an operation has under a similar
//! name.

use super::Check;
use crate::attr::AttrKind;
use crate::diag::Diagnostic;
use crate::text::nearest;

/// Adds a suggestion to a diagnostic if a name on the operation is close to an
/// existing one.
pub(super) fn with_help(check: &Check, diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.help.is_some() {
        return diagnostic;
    }
    match symbol(check) {
        Some(near) => diagnostic.with_near("@", Some(near)),
        None => diagnostic.with_near("", attribute(check)),
    }
}

/// The symbol closest to one that the operation refers to and that does not
/// exist.
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

/// The missing declared attribute closest to a discardable one of the
/// operation.
fn attribute(check: &Check) -> Option<&'static str> {
    let ctx = check.ctx();
    let data = check.data();
    let declared = check.def()?.attrs;
    let missing = || {
        let names = declared.iter().map(|attr| attr.name);
        names.filter(|name| data.attr(ctx, name).is_none())
    };
    let given = data.attributes.entries(ctx).iter();
    given
        .filter_map(|&(name, _)| nearest(ctx.str(name), missing()))
        .next()
}
