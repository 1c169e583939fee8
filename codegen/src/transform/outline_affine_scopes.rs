//! `outline-affine-scopes`: moves loop nests whose bounds are numbers of the loops around into functions of their own.
//!
//! ```text
//! scf.for %e = 0 to 8 {                          scf.for %e = 0 to 8 {
//!   %n = memref.load %sizes[%e]                    %n = memref.load %sizes[%e]
//!   scf.for %i = 0 to %n {                         func.call @f__scope0(%n, %a)
//!     scf.for %j = 0 to %n { … %a[%i, %j] … }  ⇒ }
//!   }
//! }                                              func.func private @f__scope0(%n: index, %a: …) {
//!                                                  affine.for %i = 0 to %n {
//!                                                    affine.for %j = 0 to %n { … %a[%i, %j] … }
//!                                                  }
//!                                                }
//! ```
//!
//! A number that a loop loads or carries is neither a dimension nor a symbol inside of that loop, while the arguments of a
//! function, which is an affine scope, are symbols. The nest is raised in its function, and scheduled and mapped like any other one, in
//! tiles with a grid of several dimensions; where it stood, its outermost loop alone could be one of the grid. Constants, extents and
//! integers computed of others are computed again in the function, so that what is known of them stays known.
//!
//! Always legal: the function has one call, in place of the nest. Done for nests of two loops and more where the loops around run
//! on the host: `scf.while`, or few iterations of others around a nest with much to do in each of its own, which would
//! be few threads.

use std::collections::HashSet;

use gridloom_dialects::func::{self, CallOp, FuncOp};
use gridloom_dialects::{affine, inherent, memref, scf};
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, Ident, IrMapping, Module, OpId, Type, Value};

use super::plans::is_inside;
use super::raise_to_affine::operands::Raised;
use super::raise_to_affine::symbols::is_number;
use super::raise_to_affine::{host_ops, non_affine_bound, raise};
use crate::analysis::values::AffineValues;
use crate::analysis::work::{OPEN_TRIPS, trips_of, work_assuming};
use crate::functions::free_name;

/// Limit of the iterations of loops around a nest that count as few.
const MAX_FEW: f64 = 64.0;

/// Operations of one iteration of a nest that are much to do.
const MUCH_WORK: f64 = 4096.0;

/// Limit of the operations that a function computes again, each in a row.
const MAX_COPIED: usize = 32;

/// Outlines the nests of the host functions of a module. Returns whether there was one.
pub fn outline_scopes(ctx: &Context, module: &mut Module) -> bool {
    let functions = module.ops().filter(|(_, op)| op.name == func::FUNC);
    let functions: Vec<OpId> = functions.map(|(op, _)| op).collect();
    let mut names: Option<FxHashSet<Ident>> = None;
    let mut changed = false;
    for function in functions {
        let body = module.body()[function].isolated();
        let nests = body.map_or(Vec::new(), |body| nests_of(ctx, body));
        if nests.is_empty() {
            continue;
        }
        let names = names.get_or_insert_with(|| module.symbols(ctx).names().collect());
        outline_all(ctx, module, names, function, &nests);
        changed = true;
    }
    changed
}

/// The nests of a function to outline.
fn nests_of(ctx: &Context, body: &Body) -> Vec<OpId> {
    if !body.may_hold(scf::FOR) {
        return Vec::new();
    }
    let mut values = AffineValues::new(ctx, body);
    let mut nests: Vec<OpId> = Vec::new();
    let mut outlined: HashSet<OpId> = HashSet::new();
    for op in host_ops(body) {
        if matches!(body[op].name, scf::FOR | affine::FOR)
            && !is_inside(body, op, &outlined)
            && runs_on_host(&mut values, op)
            && needs_scope(&mut values, op)
        {
            outlined.insert(op);
            nests.push(op);
        }
    }
    nests
}

/// Whether the loops around a nest run on the host, or would be few threads.
fn runs_on_host(values: &mut AffineValues, op: OpId) -> bool {
    let body = values.body;
    if body.parent_op(op).is_none() {
        return false;
    }
    let mut iterations = 1.0;
    let mut is_in_while = false;
    for around in body.ancestors(op) {
        match body[around].name {
            scf::IF | affine::IF => {}
            scf::WHILE => is_in_while = true,
            scf::FOR | affine::FOR => match trips_of(values, around) {
                Some(trips) => iterations *= trips.max(1.0),
                None => return false,
            },
            _ => return false,
        }
    }
    let mut has_much_work = || {
        let iteration = body
            .region_block(op, 0)
            .into_iter()
            .flat_map(|block| body.ops(block));
        let work = iteration.map(|op| work_assuming(values, op, OPEN_TRIPS));
        work.sum::<f64>() >= MUCH_WORK
    };
    iterations <= MAX_FEW && (is_in_while || has_much_work())
}

/// Whether a nest of several loops is affine in a scope of its own, and not where it is.
fn needs_scope(values: &mut AffineValues, root: OpId) -> bool {
    let body = values.body;
    let with_regions = |op: &OpId| !body[*op].inline_regions().is_empty();
    let loops: Vec<OpId> = { body.walk_op(root).into_iter() }
        .filter(with_regions)
        .filter(|&op| !matches!(body[op].name, scf::IF | affine::IF))
        .collect();
    let others = (loops.iter().copied()).filter(|&op| body[op].name != affine::FOR);
    // In a scope where the others are affine, their counters are dimensions.
    let raised: Raised = loops.iter().copied().collect();
    let mut needs_symbol = false;
    for op in others {
        if body[op].name != scf::FOR {
            return false;
        }
        match non_affine_bound(values, &raised, op) {
            Ok(()) => {}
            Err(Some(value)) if !body.is_defined_in(value, root) => needs_symbol = true,
            Err(_) => return false,
        }
    }
    needs_symbol && loops.len() > 1
}

/// Moves nests of a function into functions; `names` are the symbols in use.
fn outline_all(
    ctx: &Context,
    module: &mut Module,
    names: &mut FxHashSet<Ident>,
    function: OpId,
    nests: &[OpId],
) {
    let data = &module.body()[function];
    let (loc, name) = (data.loc, data.symbol_name(ctx));
    // The body of the function is detached while others are added beside it.
    let host = module.body_mut()[function].isolated_mut();
    let (Some(name), Some(mut host)) = (name, host.map(std::mem::take)) else {
        return;
    };
    for (number, &nest) in nests.iter().enumerate() {
        let wanted = format!("{}__scope{number}", ctx.str(name));
        let scope = free_name(ctx, |name| names.contains(&name), &wanted);
        names.insert(scope);
        let captures = Captures::of(ctx, &host, nest);
        let types = |values: &[Value]| values.iter().map(|&v| host.ty(v)).collect::<Vec<Type>>();
        let results: Vec<Value> = host[nest].results().collect();
        let (inputs, outputs) = (types(&captures.args), types(&results));
        let signature = (ctx.str(scope), ctx.function_type(&inputs, &outputs));
        let block = module.block();
        let new = FuncOp::create(ctx, module.body_mut(), block, signature, false, loc);
        let private = ctx.string_attr("private");
        module.body_mut()[new.0].set_property(ctx, inherent::SYM_VISIBILITY, private);
        if let Some(body) = module.body_mut()[new.0].isolated_mut() {
            captures.fill(ctx, &host, nest, body);
            raise(ctx, body);
        }
        let mut b = Builder::before(ctx, &mut host, nest);
        let call = CallOp::create(&mut b, scope, &captures.args, &outputs);
        let called: Vec<Value> = host[call.0].results().collect();
        host.replace_results(nest, &called);
        host.erase(nest);
    }
    if let Some(slot) = module.body_mut()[function].isolated_mut() {
        *slot = host;
    }
}

/// What a nest uses from outside.
#[derive(Default)]
struct Captures {
    /// Operations that its function computes again, in an order in which each comes behind those that it uses.
    copied: Vec<OpId>,
    /// The arguments of its function.
    args: Vec<Value>,
}

impl Captures {
    fn of(ctx: &Context, body: &Body, nest: OpId) -> Captures {
        let mut captures = Captures::default();
        for op in body.walk_op(nest) {
            for &value in &body[op].operands {
                if !body.is_defined_in(value, nest) {
                    captures.add(ctx, body, value, MAX_COPIED);
                }
            }
        }
        captures
    }

    /// Adds a value, computed again by up to `depth` operations in a row.
    fn add(&mut self, ctx: &Context, body: &Body, value: Value, depth: usize) {
        let copied = body
            .defining_op(value)
            .filter(|&op| is_copied(ctx, body, op));
        let Some(op) = copied.filter(|_| depth > 0) else {
            if !self.args.contains(&value) {
                self.args.push(value);
            }
            return;
        };
        if self.copied.contains(&op) {
            return;
        }
        for &operand in &body[op].operands {
            self.add(ctx, body, operand, depth - 1);
        }
        self.copied.push(op);
    }

    /// Fills the body of the nest's function.
    fn fill(&self, ctx: &Context, host: &Body, nest: OpId, body: &mut Body) {
        let Some(entry) = body.entry() else { return };
        let mut map = IrMapping::new();
        for (&arg, &own) in self.args.iter().zip(&body[entry].args) {
            map.map(arg, own);
        }
        for &op in self.copied.iter().chain([&nest]) {
            let copy = body.clone_op_from(host, op, &mut map);
            body.append(entry, copy);
        }
        let results: Vec<Value> = host[nest].results().map(|v| map.value(v)).collect();
        let mut b = Builder::at_end(ctx, body, entry, host[nest].loc);
        func::return_values(&mut b, &results);
    }
}

/// Whether a function computes an operation again: a constant, the name of a global, an extent, and integers computed of
/// others.
fn is_copied(ctx: &Context, body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    name.has(Traits::CONSTANT_LIKE) || name == memref::GET_GLOBAL || is_number(ctx, body, op)
}
