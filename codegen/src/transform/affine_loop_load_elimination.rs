//! `affine-loop-load-elimination`: carries in a value what the next iteration loads.
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
//! every iteration loads the element that the iteration before stored, behind its own load, and nothing else in
//! the loop may write that element.
//!
//! Done where `affine-parallelize-scans` parallelizes the loop then: prefix sums in memory, and the like. Elsewhere a
//! value carried would hide from other passes what the loop depends on.

use gridloom_dialects::affine::{self, ApplyOp, ForOp};
use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Module, OpId, Value};

use super::affine_data_copy_generate::region::distance;
use super::affine_guard_overflow::{guard_nest, is_fallback};
use super::affine_parallelize_scans::is_parallelized_as_scan;
use super::emit_loops::{go_behind, owned, rebuilt};
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

/// Loop in which each iteration loads what the iteration before stored.
struct Carried {
    l: ForOp,
    load: OpId,
    /// The value stored.
    stored: Value,
}

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
    own.iter().enumerate().find_map(|(at, &load)| {
        let is_load = body[load].name == affine::LOAD;
        let read = access_of(load).filter(|_| is_load && is_movable(ctx, body, l, load))?;
        own[at..].iter().find_map(|&store| {
            let written = affine::StoreOp::cast(body, store)?;
            let write = access_of(store)?;
            let is_carried =
                is_next(deps, l, read, write) && is_only_write(deps, l, read, write, &accesses);
            is_carried.then_some(Carried {
                l,
                load,
                stored: written.value(body),
            })
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

/// Whether an iteration loads the element that the iteration before stores.
fn is_next(deps: &mut Dependences, l: ForOp, read: &Access, write: &Access) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let (Some(from), Some(to)) = (
        affine::Access::cast(body, read.op),
        affine::Access::cast(body, write.op),
    ) else {
        return false;
    };
    if from.memref(body) != to.memref(body) {
        return false;
    }
    let values = &mut deps.values;
    let counter = values.atom_number(Atom::Value(l.induction_var(body)));
    let [from, to] = [(read.op, from), (write.op, to)]
        .map(|(op, access)| values.map_exprs(op, access.map(ctx, body), access.operands(body)));
    let step = l.step(ctx, body);
    let mut moves = false;
    let is_next = from.into_iter().zip(to).all(|(from, to)| {
        let (Some(from), Some(to)) = (from, to) else {
            return false;
        };
        let found = distance(values, from, to);
        let way = values
            .coefficient(from, counter)
            .and_then(|each| each.checked_mul(step));
        moves |= found != Some(0);
        found.is_some() && found == way
    });
    is_next && moves
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
        let new = rebuilt(&mut b, self.l, &[first]);
        let block = new.block(b.body);
        if let Some(last) = b.body[block].last() {
            b.body[last].operands.push(self.stored);
        }
        let loaded = b.body[self.load].result(0);
        let before = new.iter_args(b.body)[0];
        (b.body).replace_values_in(new.0, |value| if value == loaded { before } else { value });
        b.body.erase(self.load);
        b.body.erase(self.l.0);
        // Loops that carry values need what is tested of their bounds.
        guard_nest(ctx, body, new.0);
        new
    }

    /// Emits what the first iteration loads; zero where there is none.
    fn first(&self, b: &mut Builder) -> Value {
        let ctx = b.ctx;
        let ty = b.body.ty(b.body[self.load].result(0));
        if self
            .l
            .constant_trip_count(ctx, b.body)
            .is_some_and(|trips| trips > 0)
        {
            return self.load_first(b);
        }
        let (lower, upper) = (self.l.lower(ctx, b.body), self.l.upper(ctx, b.body));
        let [lower, upper] = [lower, upper]
            .map(owned)
            .map(|(map, operands)| ApplyOp::create(b, map, &operands));
        let is_any = CmpIOp::create(b, CmpIPredicate::Slt, lower, upper);
        let test = scf::IfOp::create(b, is_any, &[ty], true);
        let then = test.then_block(b.body);
        b.set(InsertPoint::End(then));
        let loaded = self.load_first(b);
        scf::yield_values(b, then, &[loaded]);
        if let Some(block) = test.else_block(b.body) {
            b.set(InsertPoint::End(block));
            let none = zero(ctx, ty).map(|zero| b.constant(zero, ty));
            scf::yield_values(b, block, none.as_slice());
        }
        go_behind(b, test.0);
        b.body[test.0].result(0)
    }

    /// Emits the load of the first iteration.
    fn load_first(&self, b: &mut Builder) -> Value {
        let ctx = b.ctx;
        let (map, operands) = owned(self.l.lower(ctx, b.body));
        let lower = ApplyOp::create(b, map, &operands);
        let mut names = IrMapping::new();
        names.map(self.l.induction_var(b.body), lower);
        let copy = b.insert_copy(self.load, &mut names);
        b.body[copy].result(0)
    }
}
