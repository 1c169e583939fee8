//! Serial clones: what runs when arguments overlap after all.
//!
//! The dependence analysis takes distinct memref arguments for disjoint. A
//! function that was changed in reliance on that keeps the body it had before
//! as a private function, named by its discardable attribute [`SERIAL_ATTR`];
//! the executor checks every call and runs that one when two arguments share
//! memory. Serial clones themselves are left as they are.

use std::collections::HashSet;

use gridloom_ir::body::Regions;
use gridloom_ir::dialect::func;
use gridloom_ir::{Body, Context, Ident, Module, OpId, OpState};

use crate::transform::gpu_kernel_outlining::free_name;

/// Discardable attribute of a function that names its serial clone.
pub const SERIAL_ATTR: &str = "gridloom.serial";

/// Runs `change` on the body of every host function that is no serial clone.
/// Where it answers that it relied on disjoint arguments, the function gets a
/// serial clone, unless it has one.
pub fn change_functions(
    ctx: &Context,
    module: &mut Module,
    mut change: impl FnMut(&mut Body) -> bool,
) {
    let clones = serial_clones(ctx, module);
    let functions: Vec<OpId> = (module.ops())
        .filter(|(_, op)| op.name == func::FUNC)
        .filter(|(_, op)| {
            !op.symbol_name(ctx)
                .is_some_and(|name| clones.contains(&name))
        })
        .map(|(op, _)| op)
        .collect();
    for function in functions {
        let data = &module.body()[function];
        let has_clone = data.attr(ctx, SERIAL_ATTR).is_some();
        let before = data
            .isolated()
            .filter(|body| !has_clone && has_two_memrefs(ctx, body));
        let before = before.cloned();
        let body = module.body_mut()[function].isolated_mut();
        let Some(body) = body.filter(|body| body.entry().is_some()) else {
            continue;
        };
        if let (true, Some(before)) = (change(body), before) {
            add_clone(ctx, module, function, before);
        }
    }
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

/// Adds a private function with the body `before` right behind `function`.
fn add_clone(ctx: &Context, module: &mut Module, function: OpId, before: Body) {
    let Some(name) = module.body()[function].symbol_name(ctx) else {
        return;
    };
    let wanted = format!("{}__serial", ctx.str(name));
    let clone_name = free_name(ctx, &module.symbols(ctx), &wanted);
    let body = module.body_mut();
    let data = &body[function];
    let mut state = OpState::new(func::FUNC, data.loc);
    let name_attr = ctx.string_attr(ctx.str(clone_name));
    state.properties = data.properties.with(ctx, ctx.ident("sym_name"), name_attr);
    state.attributes = data.attributes;
    let private = ctx.string_attr("private");
    state = state.property(ctx, "sym_visibility", private);
    let clone = body.create_op(state);
    body[clone].regions = Regions::Isolated(Box::new(before));
    body.insert_after(function, clone);
    body[function].set_attribute(ctx, SERIAL_ATTR, ctx.symbol_attr(clone_name));
}
