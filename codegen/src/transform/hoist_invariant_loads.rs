//! `hoist-invariant-loads`: loads numbers once, in front of the loops that do not write them.
//!
//! ```text
//! scf.while (%i = %zero) {                   %n = memref.load %length[]
//!   %n = memref.load %length[]               scf.while (%i = %zero) {
//!   %more = arith.cmpi slt, %i, %n    ⇒        %more = arith.cmpi slt, %i, %n
//!   scf.condition(%more) %i                    scf.condition(%more) %i
//! } do {                                     } do {
//!   S(%i)                                      S(%i)
//! }                                          }
//! ```
//!
//! A loop of C whose bound is a global variable, a member of a struct or an element of an array loads it before each
//! iteration, and so do subscripts of rows of that length. `raise-to-affine` counts the iterations once the bound is a value
//! from in front of the loop, and one value for equal loads shows it that the rows are of one length.
//!
//! Legal for a load that an exit test always makes, of an element that nothing in the loop writes: the test runs at
//! least once. A load of an integer that the type of the memref proves to be there leaves any loop that does not write
//! it, where the memref is a global or an argument; others might fault where no iteration runs, or find memory that
//! nothing has written yet. What the subscripts need is computed again in front, and equal loads
//! in the loop use the value, as far as nothing is written that they may read in their iterations.
//!
//! Numbers of less than 64 bits that the loop multiplies by others stay: such a product may wrap around, which makes
//! a subscript neither affine, nor an element found in memory, whose updates can be atomic.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, LoadOp};
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, IrMapping, Module, OpId, Type, Value};

use super::affine_data_copy_generate::is_transfer;
use super::affine_if_conversion::available_values::are_alike;
use super::loop_invariant_code_motion::is_speculatable;
use super::plans::{Plans, change_by_plans};
use crate::analysis::access::accesses_of;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::load_store::is_load;
use crate::analysis::loop_kind::is_any_loop;
use crate::analysis::repeatable::are_unchanged;

/// Limit of the operations that compute the place of a load.
const MAX_OPERATIONS: usize = 16;

/// Depth limit of the operations that are compared to find equal loads.
const MAX_DEPTH: usize = 4;

/// Limit of the loads of a function that are compared with what the loops around them write.
const MAX_LOADS: usize = 256;

/// Hoists loads in the host functions of a module. Returns whether there were any.
pub fn hoist_invariant_loads(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| plan.apply(body),
    )
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Hoisting> {
    // Nothing may read the target of a transfer before its wait.
    if body.may_hold_any(is_transfer) {
        return (Vec::new(), false);
    }
    let all = body.walk().into_iter();
    let loads = all.filter(|&op| is_candidate(ctx, body, op));
    let loads: Vec<OpId> = loads.take(MAX_LOADS).collect();
    let mut plans: Vec<Hoisting> = Vec::new();
    if loads.is_empty() {
        return (plans, false);
    }
    let mut deps = Dependences::new(ctx, body, globals);
    let uses = body.uses();
    let mut replaced: HashSet<OpId> = HashSet::new();
    for load in loads {
        if replaced.contains(&load) {
            continue;
        }
        let planned = plan_load(&mut deps, &uses, load);
        replaced.extend(planned.iter().flat_map(|plan| &plan.replaced));
        plans.extend(planned);
    }
    (plans, deps.aliases.relied_on_arguments())
}

/// Hoisting of a load.
struct Hoisting {
    /// The loop in front of which it is loaded.
    before: OpId,
    /// Backward slice of the load in that loop: the operations to copy, in order, the load last.
    copied: Vec<OpId>,
    /// The load, and equal ones of the loop whose test it is in.
    replaced: Vec<OpId>,
}

/// Whether an operation is a load in the block of an exit test, or of an integer that is known to be there.
fn is_candidate(ctx: &Context, body: &Body, op: OpId) -> bool {
    let is_test = || (body.parent_op(op)).is_some_and(|outer| is_in_test(body, outer, op));
    is_load(body, op) && (is_test() || is_number(ctx, body, op))
}

fn plan_load(deps: &mut Dependences, uses: &Uses, load: OpId) -> Option<Hoisting> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let is_number = is_number(ctx, body, load);
    let mut found = None;
    let mut inside = load;
    while let Some(outer) = body.parent_op(inside) {
        let is_test = inside == load && is_in_test(body, outer, load);
        inside = outer;
        if matches!(body[outer].name, affine::IF | scf::IF) && is_number {
            continue;
        }
        if !is_any_loop(body, outer) || !(is_test || is_number) {
            break;
        }
        let needed = needed(body, outer, load).filter(|needed| {
            let mut places = needed.iter().filter(|&&op| op != load);
            is_test || places.all(|&op| is_speculatable(ctx, body, op))
        });
        match needed.filter(|_| is_unchanged(deps, outer, load)) {
            Some(needed) => found = Some((outer, needed)),
            None => break,
        }
    }
    let (before, copied) = found?;
    let replaced = body.walk_op(before).into_iter();
    let mut replaced: Vec<OpId> = replaced
        .filter(|&other| is_same_load(ctx, body, load, other))
        .collect();
    // Of one element in other iterations: what is written may be so in some that this load never runs in.
    replaced.retain(|&other| other == load || is_unchanged(deps, before, other));
    let is_multiplied = replaced.iter().any(|&load| {
        let users = uses.of(body[load].result(0));
        users.iter().any(|user| may_wrap(ctx, body, user.op))
    });
    (!is_multiplied).then_some(Hoisting {
        before,
        copied,
        replaced,
    })
}

/// Whether an operation is a product of narrow numbers that are both unknown.
fn may_wrap(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let is_narrow = |ty: Type| ty.signless_width(ctx).is_some_and(|width| width < 64);
    let is_known = |&value: &Value| arith::constant_int(ctx, body, value).is_some();
    data.name == arith::MULI
        && is_narrow(body.ty(data.result(0)))
        && !data.operands.iter().any(is_known)
}

/// Whether a load is in the block of a loop's exit test.
fn is_in_test(body: &Body, op: OpId, load: OpId) -> bool {
    body[op].name == scf::WHILE && body.region_block(op, 0) == body[load].parent()
}

/// Whether a load is of an integer that a global or an argument is known to have, by its type.
fn is_number(ctx: &Context, body: &Body, load: OpId) -> bool {
    let ty = body.ty(body[load].result(0));
    let is_integer = ty.is_index(ctx) || ty.signless_width(ctx).is_some_and(|width| width > 8);
    let memref = body[load].operands[0];
    let is_given = match body.defining_op(memref) {
        Some(def) => body[def].name == memref::GET_GLOBAL,
        None => body.value_block(memref) == body.entry(),
    };
    is_integer && is_given && is_there(ctx, body, load)
}

/// Backward slice of a load in the regions of an operation, in order, the load last; [`None`] where it has an argument of a
/// block, an operation with effects or regions, or more than [`MAX_OPERATIONS`].
fn needed(body: &Body, root: OpId, load: OpId) -> Option<Vec<OpId>> {
    let mut needed = vec![load];
    let mut stack = vec![load];
    while let Some(op) = stack.pop() {
        for &operand in &body[op].operands {
            if !body.is_defined_in(operand, root) {
                continue;
            }
            let def = body.defining_op(operand)?;
            let is_plain = body[def].inline_regions().is_empty();
            if !is_plain || !body[def].name.has(Traits::PURE) || needed.len() == MAX_OPERATIONS {
                return None;
            }
            // Behind what it is used by: definitions come first in the end.
            needed.retain(|&op| op != def);
            needed.push(def);
            stack.push(def);
        }
    }
    needed.reverse();
    Some(needed)
}

fn is_unchanged(deps: &mut Dependences, root: OpId, load: OpId) -> bool {
    let mut loads = Vec::new();
    accesses_of(&mut deps.values, load, &mut loads);
    are_unchanged(deps, &loads, root, Scope::AnyIterations(root)) == Some(true)
}

/// Whether a load is of an element that the memref is known to have, by its type.
fn is_there(ctx: &Context, body: &Body, load: OpId) -> bool {
    let Some(shape) = body.ty(body[load].operands[0]).memref(ctx) else {
        return false;
    };
    let subscripts: Option<Vec<i64>> = match LoadOp::cast(body, load) {
        Some(load) => {
            let results = load.map(ctx, body).results(ctx);
            results
                .iter()
                .map(|result| result.as_constant(ctx))
                .collect()
        }
        None => {
            let subscripts = body[load].operands[1..].iter();
            subscripts
                .map(|&at| arith::constant_int(ctx, body, at))
                .collect()
        }
    };
    subscripts.is_some_and(|subscripts| {
        let mut places = subscripts.iter().zip(&shape.shape);
        places.all(|(&at, &extent)| (0..extent).contains(&at))
    })
}

/// Whether two loads are of one element: the same operation on equal values.
fn is_same_load(ctx: &Context, body: &Body, load: OpId, other: OpId) -> bool {
    let map = |op| LoadOp::cast(body, op).map(|load| load.map(ctx, body));
    let [these, those] = [load, other].map(|op| &body[op].operands);
    body[load].name == body[other].name
        && these.len() == those.len()
        && { these.iter().zip(those) }.all(|(&one, &two)| is_equal(body, one, two, MAX_DEPTH))
        && map(load) == map(other)
}

/// Whether two values are the same, or computed alike from the same ones.
fn is_equal(body: &Body, one: Value, two: Value, depth: usize) -> bool {
    let (Some(first), Some(second)) = (body.defining_op(one), body.defining_op(two)) else {
        return one == two;
    };
    let (these, those) = (&body[first], &body[second]);
    let is_function = these.name.has(Traits::PURE) && these.inline_regions().is_empty();
    let is_alike =
        || (is_function || these.name == memref::GET_GLOBAL) && are_alike(body, first, second);
    let mut operands = these.operands.iter().zip(&those.operands);
    one == two
        || depth > 0 && is_alike() && operands.all(|(&x, &y)| is_equal(body, x, y, depth - 1))
}

impl Hoisting {
    fn apply(&self, body: &mut Body) {
        let mut map = IrMapping::new();
        let mut loaded: Option<Value> = None;
        for &op in &self.copied {
            let copy = body.clone_op(op, &mut map);
            body.insert_before(self.before, copy);
            loaded = body[copy].results().next();
        }
        for &op in &self.replaced {
            if let (Some(old), Some(new)) = (body[op].results().next(), loaded) {
                body.replace_uses(old, new);
                body.erase(op);
            }
        }
    }
}
