//! `symbol-dce`: private functions that nothing refers to are removed.
//!
//! Always legal: a private symbol is seen by its module only.

use std::collections::HashSet;

use gridloom_ir::attr::AttrKind;
use gridloom_ir::dialect::func;
use gridloom_ir::{Attr, AttrDict, Body, Context, Ident, Module, OpId};

/// Removes private functions that are not reached from public ones or from
/// other top-level operations. Returns whether there were any.
pub fn remove_unused_functions(ctx: &Context, module: &mut Module) -> bool {
    let unused = unused_functions(ctx, module, |_| true);
    for &op in &unused {
        module.body_mut().erase(op);
    }
    !unused.is_empty()
}

/// The private functions, of those that `may_go`, that nothing refers to but
/// each other.
pub fn unused_functions(
    ctx: &Context,
    module: &Module,
    may_go: impl Fn(OpId) -> bool,
) -> Vec<OpId> {
    let symbols = module.symbols(ctx);
    let mut used: HashSet<OpId> = HashSet::new();
    let mut stack: Vec<OpId> = (module.ops())
        .filter(|&(op, _)| !is_private_function(ctx, module, op) || !may_go(op))
        .map(|(op, _)| op)
        .collect();
    while let Some(op) = stack.pop() {
        if used.insert(op) {
            let names = references(ctx, module.body(), op);
            stack.extend(names.into_iter().filter_map(|name| symbols.get(name)));
        }
    }
    let ops = module.ops().map(|(op, _)| op);
    ops.filter(|op| !used.contains(op)).collect()
}

fn is_private_function(ctx: &Context, module: &Module, op: OpId) -> bool {
    let data = &module.body()[op];
    data.name == func::FUNC && !func::FuncOp(op).is_public(ctx, module.body())
}

/// The symbols that an operation and all below it refer to.
fn references(ctx: &Context, body: &Body, root: OpId) -> HashSet<Ident> {
    let mut found = HashSet::new();
    // Isolated bodies nest: module, gpu.module, gpu.func.
    let mut stack: Vec<(&Body, Vec<OpId>)> = vec![(body, vec![root])];
    while let Some((body, ops)) = stack.pop() {
        for op in ops {
            collect(ctx, body[op].properties, &mut found);
            collect(ctx, body[op].attributes, &mut found);
            if let Some(inner) = body[op].isolated() {
                stack.push((inner, inner.walk()));
            }
        }
    }
    found
}

fn collect(ctx: &Context, dict: AttrDict, found: &mut HashSet<Ident>) {
    let mut stack: Vec<Attr> = dict.entries(ctx).iter().map(|e| e.1).collect();
    while let Some(attr) = stack.pop() {
        match attr.kind(ctx) {
            AttrKind::Symbol { root, .. } => {
                found.insert(*root);
            }
            AttrKind::Array(items) => stack.extend(items.iter().copied()),
            AttrKind::Dict(dict) => stack.extend(dict.entries(ctx).iter().map(|e| e.1)),
            _ => {}
        }
    }
}
