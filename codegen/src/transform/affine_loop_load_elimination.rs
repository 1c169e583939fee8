//! `affine-loop-load-elimination`: carries in values what the next iterations load.
//!
//! ```text
//! affine.for %i = 1 to %n {                     %first = affine.load %s[0]    // if there is an iteration
//!   %x = affine.load %a[%i]                     affine.for %i = 1 to %n iter_args(%before = %first) {
//!   %before = affine.load %s[%i - 1]              %x = affine.load %a[%i]
//!   %sum = arith.addi %before, %x          ⇒      %sum = arith.addi %before, %x
//!   affine.store %sum, %s[%i]                     affine.store %sum, %s[%i]
//! }                                               affine.yield %sum
//!                                               }
//! ```
//!
//! (D. Callahan, S. Carr and K. Kennedy, "Improving Register Allocation for Subscripted Variables", 1990.) Legal where
//! every iteration loads the elements that some iterations just before it stored, behind its own loads, and nothing else in
//! the loop may write these elements. Where it loads what the iteration before the last stored, it has to load what the last one
//! did as well, which is then known to be there before the first iteration.
//!
//! Done where `affine-parallelize-scans` parallelizes the loop then: prefix sums and recursive filters in memory, and the like.
//! Elsewhere values carried would hide from other passes what the loop depends on.

use gridloom_dialects::affine::{self, ApplyOp, ForOp};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Body, Builder, Context, IrMapping, Module, OpId, Type, Value};

use super::affine_data_copy_generate::region::distance;
use super::affine_guard_overflow::{guard_nest, is_fallback};
use super::affine_parallelize_scans::is_parallelized_as_scan;
use super::emit_loops::{owned, rebuilt, where_it_runs};
use super::plans::{Plans, change_by_plans, plan_outermost};
use crate::analysis::access::{Access, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::MAX_ACCESSES;
use crate::analysis::reduction::zero;
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;

/// Carries what the next iteration loads in the host functions of a module. Returns whether anything changed.
pub fn eliminate_loads(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |carried, body| {
            carried.apply(ctx, body);
        },
    )
}

/// Loop in which each iteration loads what iterations before it stored.
struct Carried {
    l: ForOp,
    /// The loads, each with the number of iterations back to that which stores the element.
    loads: Vec<(OpId, usize)>,
    /// The value stored.
    stored: Value,
}

/// Limit of the iterations back to the store of an element.
const MAX_DISTANCE: usize = 4;

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Carried> {
    if !body.may_hold(affine::STORE) || !body.may_hold(affine::FOR) {
        return (Vec::new(), false);
    }
    let (mut plans, relied) = plan_outermost(ctx, body, globals, carried);
    plans.retain(|plan| plan.pays(ctx, body, globals, options));
    let relied = relied && !plans.is_empty();
    (plans, relied)
}

/// Matches a loop that carries nothing yet.
fn carried(deps: &mut Dependences, l: ForOp) -> Option<Carried> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let bounds = [l.lower(ctx, body), l.upper(ctx, body)];
    let is_plain = body[l.0].num_results() == 0
        && bounds.iter().all(|bound| bound.map.results(ctx).len() == 1)
        && !is_fallback(body, l.0);
    let own = l.statements(body);
    let has = |name| own.iter().any(|&op| body[op].name == name);
    if !is_plain || !has(affine::LOAD) || !has(affine::STORE) {
        return None;
    }
    let accesses = accesses_below(&mut deps.values, l.0);
    if accesses.len() > MAX_ACCESSES {
        return None;
    }
    let access_of = |op: OpId| accesses.iter().find(|access| access.op == op);
    own.iter().enumerate().find_map(|(at, &store)| {
        let written = affine::StoreOp::cast(body, store)?;
        let write = access_of(store)?;
        let reads = own[..at].iter().filter_map(|&load| access_of(load));
        let loads = reads.filter_map(|read| {
            let distance = distance_in_iterations(deps, l, read, write)?;
            let is_carried =
                is_movable(ctx, body, l, read.op) && is_only_write(deps, l, read, write, &accesses);
            is_carried.then_some((read.op, distance))
        });
        let loads: Vec<(OpId, usize)> = loads.collect();
        let has = |distance| loads.iter().any(|&(_, other)| other == distance);
        let furthest = loads.iter().map(|&(_, distance)| distance).max()?;
        (1..furthest).all(has).then(|| Carried {
            l,
            stored: written.value(body),
            loads,
        })
    })
}

/// Whether the load can stand in front of its loop, for the first iteration.
fn is_movable(ctx: &Context, body: &Body, l: ForOp, load: OpId) -> bool {
    let counter = l.induction_var(body);
    let mut operands = body[load].operands.iter();
    zero(ctx, body.ty(body[load].result(0))).is_some()
        && operands.all(|&value| value == counter || !body.is_defined_in(value, l.0))
}

/// The number of iterations back to that which stores the element that an iteration loads.
fn distance_in_iterations(
    deps: &mut Dependences,
    l: ForOp,
    read: &Access,
    write: &Access,
) -> Option<usize> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let from = affine::Access::cast(body, read.op)?;
    let to = affine::Access::cast(body, write.op)?;
    if read.is_write || from.memref(body) != to.memref(body) {
        return None;
    }
    let values = &mut deps.values;
    let counter = values.atom_number(Atom::Value(l.induction_var(body)));
    let [from, to] = [(read.op, from), (write.op, to)]
        .map(|(op, access)| values.map_exprs(op, access.map(ctx, body), access.operands(body)));
    let step = l.step(ctx, body);
    let mut shifts = Vec::new();
    for (from, to) in from.into_iter().zip(to) {
        let (from, to) = (from?, to?);
        let each = values.coefficient(from, counter)?.checked_mul(step)?;
        shifts.push((distance(values, from, to)?, each));
    }
    (1..=MAX_DISTANCE).find(|&distance| {
        let is_multiple =
            |&(shift, each): &(i64, i64)| each.checked_mul(distance as i64) == Some(shift);
        shifts.iter().all(is_multiple) && shifts.iter().any(|&(shift, _)| shift != 0)
    })
}

/// Whether nothing else in a loop may write the element that is loaded.
fn is_only_write(
    deps: &mut Dependences,
    l: ForOp,
    read: &Access,
    write: &Access,
    accesses: &[Access],
) -> bool {
    let scope = Scope::AnyIterations(l.0);
    let mut others = accesses
        .iter()
        .filter(|other| other.is_write && other.op != write.op);
    others.all(|other| !deps.may_overlap(scope, read, other))
}

impl Carried {
    /// Whether the loop is then one that a later pass parallelizes.
    fn pays(
        &self,
        ctx: &Context,
        body: &Body,
        globals: &Globals,
        options: &OffloadOptions,
    ) -> bool {
        let mut trial = body.clone();
        let l = self.apply(ctx, &mut trial);
        let uses = trial.uses();
        let mut deps = Dependences::new(ctx, &trial, globals);
        is_parallelized_as_scan(&mut deps, &uses, l, options)
    }

    /// Replaces the loop. Returns the new one.
    fn apply(&self, ctx: &Context, body: &mut Body) -> ForOp {
        let mut b = Builder::before(ctx, body, self.l.0);
        let first = self.first(&mut b);
        let new = rebuilt(&mut b, self.l, &first);
        let block = new.block(b.body);
        let before = new.iter_args(b.body).to_vec();
        if let Some(last) = b.body[block].last() {
            // The value stored is the first one of the next iteration, which moves on the others.
            let next = [self.stored].into_iter().chain(before.iter().copied());
            b.body[last].operands.extend(next.take(first.len()));
        }
        let loads = self.loads.iter();
        let loads = loads.map(|&(load, distance)| (b.body[load].result(0), before[distance - 1]));
        let carried: FxHashMap<Value, Value> = loads.collect();
        (b.body).replace_values_in(new.0, |value| carried.get(&value).copied().unwrap_or(value));
        for &(load, _) in &self.loads {
            b.body.erase(load);
        }
        b.body.erase(self.l.0);
        // Loops that carry values need what is tested of their bounds.
        guard_nest(ctx, body, new.0);
        new
    }

    /// The loads of the elements stored one iteration before, two, and so on.
    fn loads_by_distance(&self) -> Vec<OpId> {
        let at = |distance| {
            let mut loads = self.loads.iter();
            loads
                .find(|&&(_, other)| other == distance)
                .map(|&(load, _)| load)
        };
        (1..).map_while(at).collect()
    }

    /// Emits what the first iteration loads; zeros where there is none.
    fn first(&self, b: &mut Builder) -> Vec<Value> {
        let loads = self.loads_by_distance();
        let types = loads.iter().map(|&load| b.body.ty(b.body[load].result(0)));
        let types: Vec<Type> = types.collect();
        where_it_runs(b, self.l, &types, |b| self.load_first(b, &loads))
    }

    /// Emits the loads of the first iteration.
    fn load_first(&self, b: &mut Builder, loads: &[OpId]) -> Vec<Value> {
        let ctx = b.ctx;
        let (map, operands) = owned(self.l.lower(ctx, b.body));
        let lower = ApplyOp::create(b, map, &operands);
        let mut names = IrMapping::new();
        names.map(self.l.induction_var(b.body), lower);
        let copies = loads.iter().map(|&load| {
            let copy = b.insert_copy(load, &mut names);
            b.body[copy].result(0)
        });
        copies.collect()
    }
}
