//! `mark-constant-globals`: makes globals constant that the module only loads from.
//!
//! ```text
//! memref.global "private" @n : memref<i32> = dense<8>   ⇒   memref.global "private" constant @n : memref<i32> = dense<8>
//! ```
//!
//! Sizes of C programs are such globals. `canonicalize` then knows what loads of their elements give, so that bounds and
//! rows have constant lengths.
//!
//! Legal for an initialised global that other modules cannot see and of which every use is a load of an element: nothing
//! stores to it, makes a view of it or passes it on.

use std::collections::HashSet;

use gridloom_dialects::memref::{GetGlobalOp, GlobalOp};
use gridloom_ir::fold::Constant;
use gridloom_ir::{Body, Context, Ident, Module, OpId};

use crate::analysis::load_store::is_load;

/// Marks the constant ones among the globals of a module. Returns whether there were any.
pub fn mark_constant_globals(ctx: &Context, module: &mut Module) -> bool {
    let body = module.body();
    let globals = module.ops().filter_map(|(op, _)| GlobalOp::cast(body, op));
    let mut candidates: Vec<GlobalOp> = globals.collect();
    candidates.retain(|global| {
        let value = global.initial_value(ctx, body);
        let is_known = value.is_some_and(|value| Constant::of(ctx, value).is_some());
        is_known && global.is_private(ctx, body) && !global.is_constant(ctx, body)
    });
    if candidates.is_empty() {
        return false;
    }
    let mut used: HashSet<Ident> = HashSet::new();
    add_used(ctx, body, &mut used);
    candidates.retain(|global| !used.contains(&global.name(ctx, body)));
    let marked: Vec<OpId> = candidates.iter().map(|global| global.0).collect();
    for &op in &marked {
        module.body_mut()[op].set_property(ctx, "constant", ctx.unit_attr());
    }
    !marked.is_empty()
}

/// Adds the globals that operations of a body, or of one inside of it, may do something else with than load their elements.
fn add_used(ctx: &Context, body: &Body, used: &mut HashSet<Ident>) {
    for op in body.walk() {
        if let Some(inside) = body[op].isolated() {
            add_used(ctx, inside, used);
        }
        if is_load(body, op) {
            continue;
        }
        let globals = (body[op].operands.iter())
            .filter_map(|&operand| GetGlobalOp::cast(body, body.defining_op(operand)?));
        used.extend(globals.filter_map(|op| op.global(ctx, body).as_flat_symbol(ctx)));
    }
}
