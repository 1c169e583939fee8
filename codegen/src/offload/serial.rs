//! Serial clones: what runs when arguments overlap after all.
//!
//! The dependence analysis takes distinct memref arguments for disjoint. A
//! function that was changed in reliance on that keeps the body it had before
//! as a private function, named by its discardable attribute [`SERIAL_ATTR`];
//! the executor checks every call and runs that one when two arguments share
//! memory. Serial clones themselves are left as they are.

use std::collections::HashSet;

use gridloom_ir::body::OpData;
use gridloom_ir::dialect::func;
use gridloom_ir::{Body, Context, Ident, Module, OpId, OpState, threads};

use crate::pass::threads_for;
use crate::transform::gpu_kernel_outlining::free_name;

/// Discardable attribute of a function that names its serial clone.
pub const SERIAL_ATTR: &str = "gridloom.serial";

/// Runs `change` on the body of every host function that is no serial clone,
/// on the threads of the context. Where it answers that it relied on disjoint
/// arguments, the function gets a serial clone, unless it has one. Returns what
/// `change` says besides, in the order of the functions.
pub fn change_functions<R: Send>(
    ctx: &Context,
    module: &mut Module,
    change: impl Fn(&mut Body) -> (bool, R) + Sync,
) -> Vec<R> {
    let clones = serial_clones(ctx, module);
    let is_clone = |op: &OpData| {
        op.symbol_name(ctx)
            .is_some_and(|name| clones.contains(&name))
    };
    let block = module.block();
    let mut functions = module.body_mut().owners_mut();
    functions.retain(|(_, op)| {
        op.name == func::FUNC
            && op.parent() == Some(block)
            && op.isolated().is_some_and(|body| body.entry().is_some())
            && !is_clone(op)
    });
    let threads = threads_for(ctx, functions.iter().filter_map(|(_, op)| op.isolated()));
    let changed = threads::map_mut(threads, &mut functions, |(function, op)| {
        let has_clone = op.attr(ctx, SERIAL_ATTR).is_some();
        let body = op.isolated_mut()?;
        let before = (!has_clone && has_two_memrefs(ctx, body)).then(|| body.clone());
        let (relied, said) = change(body);
        Some((*function, before.filter(|_| relied), said))
    });
    let mut said = Vec::with_capacity(changed.len());
    let mut names = None;
    for (function, before, result) in changed.into_iter().flatten() {
        said.push(result);
        if let Some(before) = before {
            let names = names.get_or_insert_with(|| module.symbols(ctx).names().collect());
            add_clone(ctx, module, names, function, before);
        }
    }
    said
}

/// The names of the functions that are serial clones of others.
fn serial_clones(ctx: &Context, module: &Module) -> HashSet<Ident> {
    let names = module
        .ops()
        .filter_map(|(_, op)| op.attr(ctx, SERIAL_ATTR)?.as_flat_symbol(ctx));
    names.collect()
}

fn has_two_memrefs(ctx: &Context, body: &Body) -> bool {
    let Some(entry) = body.entry() else {
        return false;
    };
    let args = body[entry].args.iter();
    args.filter(|&&arg| body.ty(arg).memref(ctx).is_some())
        .count()
        > 1
}

/// Adds a private function with the body `before` right behind `function`;
/// `names` are those that are taken.
fn add_clone(
    ctx: &Context,
    module: &mut Module,
    names: &mut HashSet<Ident>,
    function: OpId,
    before: Body,
) {
    let Some(name) = module.body()[function].symbol_name(ctx) else {
        return;
    };
    let wanted = format!("{}__serial", ctx.str(name));
    let clone_name = free_name(ctx, |name| names.contains(&name), &wanted);
    names.insert(clone_name);
    let body = module.body_mut();
    let data = &body[function];
    let mut state = OpState::new(func::FUNC, data.loc);
    let name_attr = ctx.string_attr(ctx.str(clone_name));
    state.properties = data.properties.with(ctx, ctx.ident("sym_name"), name_attr);
    state.attributes = data.attributes;
    let private = ctx.string_attr("private");
    state = state.property(ctx, "sym_visibility", private);
    let clone = body.create_op(state);
    body[clone].set_isolated(Box::new(before));
    body.insert_after(function, clone);
    body[function].set_attribute(ctx, SERIAL_ATTR, ctx.symbol_attr(clone_name));
}
