//! `symbol-dce`: removes private functions that nothing refers to.
//!
//! Always legal: only its own module can refer to a private symbol.

use std::collections::HashSet;

use gridloom_dialects::func;
use gridloom_ir::module::references;
use gridloom_ir::{Context, Ident, Module, OpId};

/// Removes private functions that are unreachable from public ones and from
/// other top-level operations. Returns whether there were any.
pub fn remove_unused_functions(ctx: &Context, module: &mut Module) -> bool {
    let unused = unused_functions(ctx, module, |_| true);
    for &op in &unused {
        module.body_mut().erase(op);
    }
    !unused.is_empty()
}

/// The private functions that are unreachable from all others; those for which
/// `may_go` is false count as roots.
pub fn unused_functions(
    ctx: &Context,
    module: &Module,
    may_go: impl Fn(OpId) -> bool,
) -> Vec<OpId> {
    unreached(ctx, module, |op| {
        !is_private_function(ctx, module, op) || !may_go(op)
    })
}

/// The top-level operations unreachable from the roots.
fn unreached(ctx: &Context, module: &Module, is_root: impl Fn(OpId) -> bool) -> Vec<OpId> {
    let symbols = module.symbols(ctx);
    let ops = || module.ops().map(|(op, _)| op);
    let mut reached: HashSet<OpId> = HashSet::new();
    let mut stack: Vec<OpId> = ops().filter(|&op| is_root(op)).collect();
    if stack.len() == ops().count() {
        return Vec::new();
    }
    while let Some(op) = stack.pop() {
        if reached.insert(op) {
            let names = references(ctx, module.body(), op);
            stack.extend(names.into_iter().filter_map(|name| symbols.get(name)));
        }
    }
    ops().filter(|op| !reached.contains(op)).collect()
}

/// Removes the functions, private or not, that are unreachable from `entry` and
/// from all operations other than functions. Legal if no other function is
/// called from outside.
pub fn retain_reached(ctx: &Context, module: &mut Module, entry: Ident) {
    let entry = module.symbols(ctx).get(entry);
    let body = module.body();
    let unreached = unreached(ctx, module, |op| {
        body[op].name != func::FUNC || Some(op) == entry
    });
    for op in unreached {
        module.body_mut().erase(op);
    }
}

fn is_private_function(ctx: &Context, module: &Module, op: OpId) -> bool {
    let data = &module.body()[op];
    data.name == func::FUNC && !func::FuncOp(op).is_public(ctx, module.body())
}
