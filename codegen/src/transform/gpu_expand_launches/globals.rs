//! Globals of a `gpu.module`: moves them to the host program, whose launches pass them as
//! arguments.

use std::collections::HashMap;

use gridloom_dialects::gpu::{self, FuncOp};
use gridloom_dialects::{inherent, memref};
use gridloom_ir::{
    Body, Builder, Context, Ident, IrMapping, Module, OpId, SymbolTable, Type, Value,
};

use super::{KernelSymbol, launched};

/// Number of the operand segment of a launch that holds kernel arguments.
pub(super) const ARGUMENTS: usize = 11;

/// Additional parameters of a kernel: the globals' new names and types.
type Added = Vec<(Ident, Type)>;

/// Turns the globals that kernels use into kernel arguments. Returns whether there were any.
pub(super) fn pass_in(ctx: &Context, module: &mut Module) -> bool {
    let containers: Vec<OpId> = (module.ops())
        .filter(|(_, data)| data.name == gpu::MODULE)
        .map(|(op, _)| op)
        .collect();
    let mut added: HashMap<KernelSymbol, Added> = HashMap::new();
    for container in containers {
        let Some(outer) = module.body()[container].symbol_name(ctx) else {
            continue;
        };
        for (kernel, used) in used_globals(ctx, module, container) {
            let mut passed = Added::new();
            for (global, ty) in used {
                passed.push((move_out(ctx, module, (container, outer), global), ty));
            }
            let Some(inside) = module.body_mut()[container].isolated_mut() else {
                continue;
            };
            let name = FuncOp(kernel).name(ctx, inside);
            take_in(ctx, inside, kernel, outer, &passed);
            added.insert((outer, name), passed);
        }
    }
    if added.is_empty() {
        return false;
    }
    let hosts: Vec<OpId> = module.ops().map(|(op, _)| op).collect();
    for op in hosts {
        if let Some(body) = module.body_mut()[op].isolated_mut() {
            hand_over(ctx, body, &added);
        }
    }
    true
}

/// The kernels of a `gpu.module` with the globals of the same module that each names.
fn used_globals(ctx: &Context, module: &Module, container: OpId) -> Vec<(OpId, Added)> {
    let Some(inside) = module.body()[container].isolated() else {
        return Vec::new();
    };
    let symbols = SymbolTable::of(ctx, inside);
    let mut found = Vec::new();
    for kernel in inside.walk() {
        if inside[kernel].name != gpu::FUNC || !FuncOp(kernel).is_kernel(ctx, inside) {
            continue;
        }
        let mut used = Added::new();
        let body = FuncOp(kernel).body(inside);
        for op in body.walk() {
            let Some(name) = named_global(ctx, body, op) else {
                continue;
            };
            let is_global = |&op: &OpId| inside[op].name == memref::GLOBAL;
            let is_new = used.iter().all(|&(known, _)| known != name);
            if is_new && symbols.get(name).as_ref().is_some_and(is_global) {
                used.push((name, body.ty(body[op].result(0))));
            }
        }
        if !used.is_empty() {
            found.push((kernel, used));
        }
    }
    found
}

fn named_global(ctx: &Context, body: &Body, op: OpId) -> Option<Ident> {
    let is_one = body[op].name == memref::GET_GLOBAL;
    is_one.then(|| body[op].get(ctx, inherent::NAME))?
}

/// The name that a moved global gets in the host program.
fn outer_name(ctx: &Context, outer: Ident, global: Ident) -> Ident {
    ctx.ident(&format!("{}::{}", ctx.str(outer), ctx.str(global)))
}

/// Copies a global in front of its `gpu.module`, unless it was copied before.
fn move_out(
    ctx: &Context,
    module: &mut Module,
    (container, outer): (OpId, Ident),
    global: Ident,
) -> Ident {
    let name = outer_name(ctx, outer, global);
    if module.symbols(ctx).get(name).is_some() {
        return name;
    }
    let Some(inside) = module.body()[container].isolated() else {
        return name;
    };
    let Some(source) = SymbolTable::of(ctx, inside).get(global) else {
        return name;
    };
    let mut apart = Body::new();
    let copy = apart.clone_op_from(inside, source, &mut IrMapping::new());
    let body = module.body_mut();
    let copy = body.clone_op_from(&apart, copy, &mut IrMapping::new());
    body[copy].set_property(ctx, inherent::SYM_NAME, ctx.string_attr(ctx.str(name)));
    body.insert_before(container, copy);
    name
}

/// Adds parameters to a kernel and replaces uses of the globals by them.
fn take_in(ctx: &Context, inside: &mut Body, kernel: OpId, outer: Ident, added: &Added) {
    let function = FuncOp(kernel);
    let (inputs, results) = function.signature(ctx, inside);
    let count = inputs.len();
    let types: Vec<Type> = (inputs.iter().copied())
        .chain(added.iter().map(|&(_, ty)| ty))
        .collect();
    let signature = ctx.function_type(&types, results);
    inside[kernel].set_property(ctx, inherent::FUNCTION_TYPE, ctx.type_attr(signature));
    let body = function.body_mut(inside);
    let Some(entry) = body.entry() else { return };
    // Attributions follow the parameters, so they are recreated behind the new ones.
    let attributions: Vec<Value> = body[entry].args[count..].to_vec();
    let loc = body[entry].first().map(|first| body[first].loc);
    let Some(loc) = loc else { return };
    let parameters = added
        .iter()
        .map(|&(_, ty)| body.add_argument(entry, ty, loc));
    let parameters: Vec<Value> = parameters.collect();
    for &old in &attributions {
        let new = body.add_argument(entry, body.ty(old), body[old].loc);
        body.replace_uses(old, new);
    }
    body.retain_arguments(entry, |arg| {
        !(count..count + attributions.len()).contains(&arg)
    });
    for op in body.walk() {
        let Some(name) = named_global(ctx, body, op) else {
            continue;
        };
        let name = outer_name(ctx, outer, name);
        let place = added.iter().position(|&(known, _)| known == name);
        if let Some(place) = place {
            body.replace_op(op, &parameters[place..=place]);
        }
    }
}

/// Adds the globals to the arguments of a host function's launches.
fn hand_over(ctx: &Context, body: &mut Body, added: &HashMap<KernelSymbol, Added>) {
    for op in body.walk() {
        let Some(added) = launched(ctx, body, op).and_then(|name| added.get(&name)) else {
            continue;
        };
        let mut b = Builder::before(ctx, body, op);
        let mut globals = Vec::new();
        for &(name, ty) in added {
            let symbol = ctx.symbol_attr(name);
            let state = b.state(memref::GET_GLOBAL).results(&[ty]);
            let get = b.create(state.property(ctx, inherent::NAME, symbol));
            globals.push(b.body[get].result(0));
        }
        let passed = [body[op].operand_segment(ctx, ARGUMENTS), &globals].concat();
        body[op].set_operand_segment(ctx, ARGUMENTS, &passed);
    }
}
