//! `parallelize-strided-loops`: parallelizes loops with run-time strides.
//!
//! ```text
//! scf.for %k = %c0 to %n step %m {            %ok = … %half, %m …
//!   scf.for %j = %c0 to %half step %c1 {      scf.if %ok {
//!     butterfly of %x[%k + %j]          ⇒       scf.parallel (%k, %j) = (%c0, %c0)
//!       and %x[%k + %j + %half]                     to (%n, %half) step (%m, %c1) { … }
//!   }                                         } else {
//! }                                             the loops as they are
//!                                             }
//! ```
//!
//! FFT, bitonic sort and work-efficient scans have such loops. A subscript is a sum of counters
//! times numbers that are the same in all iterations ([`form`]); a counter that iterations divide
//! by such a number, `%i / %h` and `%i mod %h`, counts as its two digits. Loops whose bounds depend on counters of loops
//! around, such as `%j = %i to %i + %h`, count from 0 ([`bounds`]).
//!
//! Legal where no two iterations touch an element that one of them writes. Iterations are compared
//! digit by digit, in an order of the digits that shows it: those that agree up to a digit and differ in it are at
//! least a stride apart, and at most the whole way of it. That is compared with the distance that the other digits can
//! contribute ([`test`]); conditions on run-time values, and that nothing wraps around, are tested
//! in front of the loops. A compare-exchange of `i` and `i ^ j` by the iteration of the lower, or
//! higher, one is recognised by its condition ([`exchange`]). Memrefs must be distinct, or only read; arguments
//! are separated by versions.
//!
//! Loads of elements that only later iterations overwrite read a copy (`live_in`). Iterations that depend on
//! each other at one distance alone are parallel by their residues modulo the distance (`residues`).
//!
//! Nests stay whose conditions hold at no sizes from 2 on, whose loops `affine-map-to-gpu` all finds parallel by itself, that carry values, and that kernels
//! cannot hold. Where it finds the outer ones parallel, the nest is mapped as it is for other numbers.

mod band;
mod bounds;
mod exchange;
mod form;
mod live_in;
mod residues;
mod subscripts;
mod test;

use std::collections::BTreeSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{gpu, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, IrMapping, Module, OpId, OpName, Value};

use self::band::{Band, RuntimeCondition, Shift, induction_var};
use self::live_in::{LiveIn, live_in};
use self::test::{Apart, are_apart};
use super::affine_data_copy_generate::is_transfer;
use super::affine_guard_overflow::put_under_test;
use super::affine_number_selections::rewrite::negated;
use super::affine_parallelize::into_parallel;
use super::index_values::as_index;
use super::nest_versions::part_nest;
use super::plans::{Plans, change_by_plans};
use crate::analysis::alias::{Alias, Globals, root_of};
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::obstacle;
use crate::analysis::load_store::is_load;
use crate::analysis::loop_kind::is_counted_loop;
use crate::analysis::parallel::verdict;
use crate::target::OffloadOptions;
use crate::transform::polynomial::{Atom, MAX_MAGNITUDE, Poly};

/// Limit of the loops of a band.
const MAX_LOOPS: usize = 3;

/// Parallelizes loops with run-time strides. Returns whether there were any.
pub fn parallelize_strided(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let holds_open = |body: &Body| body.may_hold_any(is_open);
    if !module
        .ops()
        .any(|(_, op)| op.isolated().is_some_and(holds_open))
    {
        return false;
    }
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Whether an operation may have a run-time stride or subscript; affine operations are left to
/// other passes.
fn is_open(name: OpName) -> bool {
    matches!(name, scf::FOR | memref::LOAD | memref::STORE)
}

/// Plan of a band that becomes parallel.
struct Strided {
    /// Loops of the band, the outermost first.
    loops: Vec<OpId>,
    bounds: Vec<[Poly; 3]>,
    /// The shift of each loop, where its bounds depend on loops around.
    shifts: Vec<Option<Shift>>,
    conditions: Vec<RuntimeCondition>,
    atoms: BTreeSet<Atom>,
    /// Loads that read a copy of what the loop overwrites.
    live_in: Vec<LiveIn>,
    /// The distance at which iterations depend on each other, where they do.
    distance: Option<Poly>,
    /// Whether the outermost loop becomes a kernel in any case.
    is_mapped: bool,
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Strided> {
    let mut plans = Vec::new();
    let mut deps = Dependences::new(ctx, body, globals);
    deps.values.reassociate = options.reassociate;
    let mut stack: Vec<OpId> = Vec::new();
    for block in body.top_blocks() {
        stack.extend(body.ops(block));
    }
    while let Some(op) = stack.pop() {
        let is_left = match body[op].name {
            gpu::LAUNCH | scf::PARALLEL | scf::FORALL => true,
            affine::FOR | affine::PARALLEL => {
                let below = body.walk_op(op);
                !below.iter().any(|&op| is_open(body[op].name))
            }
            _ => false,
        };
        if is_left {
            continue;
        }
        let mut is_mapped =
            |&&op: &&OpId| body[op].name != scf::FOR && verdict(&mut deps, op).is_parallel();
        if is_counted_loop(body, op) {
            let loops = nest_behind_computations(body, op);
            let mapped = loops.iter().take_while(&mut is_mapped).count();
            let bands = (mapped + 1..=loops.len())
                .rev()
                .map(|count| &loops[..count]);
            let mut found = bands.filter_map(|band| plan(&deps, band, options));
            // Copies and launches by residues are not worth it where a kernel has threads already.
            let is_worth =
                |plan: &Strided| mapped == 0 || plan.live_in.is_empty() && plan.distance.is_none();
            if let Some(found) = found.find(is_worth) {
                plans.push(Strided {
                    is_mapped: mapped > 0,
                    ..found
                });
                continue;
            }
            if mapped > 0 {
                continue;
            }
        } else if body[op].name == affine::PARALLEL && is_mapped(&&op) {
            continue;
        }
        for &region in body[op].inline_regions() {
            for &block in &body[region].blocks {
                stack.extend(body.ops(block));
            }
        }
    }
    (plans, deps.aliases.relied_on_arguments())
}

/// A loop and the loops inside of it, each the last operation of the one around it, behind computations and loads.
fn nest_behind_computations(body: &Body, root: OpId) -> Vec<OpId> {
    let mut found = vec![root];
    while let Some(&last) = found.last()
        && found.len() < MAX_LOOPS
    {
        let Some(block) = body.region_block(last, 0) else {
            break;
        };
        let is_computed = |&op: &OpId| {
            (body[op].name.has(Traits::PURE) || is_load(body, op))
                && body[op].inline_regions().is_empty()
                && !body[op].name.has(Traits::TERMINATOR)
        };
        let mut ops = body.ops(block).skip_while(is_computed);
        match (ops.next(), ops.next(), ops.next()) {
            (Some(inner), Some(_), None) if is_counted_loop(body, inner) => {
                found.push(inner);
            }
            _ => break,
        }
    }
    found
}

fn plan(deps: &Dependences, loops: &[OpId], options: &OffloadOptions) -> Option<Strided> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let band = Band::of(ctx, body, loops)?;
    // Loads between the loops move into the iterations, which must not write what they read.
    let is_between = |access: &&band::Access| {
        let parent = body.parent_op(access.op);
        parent.is_some_and(|parent| loops[..loops.len() - 1].contains(&parent))
    };
    let mut between = band.accesses.iter().filter(is_between);
    if between.any(|access| band.written.contains(&access.memref)) {
        return None;
    }
    if obstacle(ctx, body, loops[0], options.target.as_ref()).is_some() {
        return None;
    }
    let mut conditions: Vec<RuntimeCondition> = Vec::new();
    let mut rests_on_forms = band.shifts.iter().any(Option::is_some);
    let of_bounds = band.conditions.iter().filter(|_| rests_on_forms);
    conditions.extend(of_bounds.filter(|condition| !condition.is_given()).cloned());
    let mut copied: Vec<LiveIn> = Vec::new();
    let mut distance: Option<Poly> = None;
    for &memref in &band.written {
        band.is_outside(memref).then_some(())?;
        let found = match are_apart(&band, memref) {
            Some(Apart::Always) => continue,
            Some(Apart::Where(found)) => found,
            None => match live_in(&band, memref) {
                Some((loads, found)) => {
                    copied.push(loads);
                    found
                }
                None => {
                    let (own, found) = residues::distance(&band, memref)?;
                    let is_same = distance.as_ref().is_none_or(|known| *known == own);
                    is_same.then(|| distance = Some(own))?;
                    found
                }
            },
        };
        rests_on_forms = true;
        for condition in found {
            if !condition.is_given() && !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
    }
    let shares = |block| !deps.values.block_is_inside(block, loops[0]);
    let is_distinct = |access: &band::Access| {
        band.written.iter().all(|&memref| {
            let [first, second] = [memref, access.memref].map(|memref| root_of(ctx, body, memref));
            memref == access.memref || deps.aliases.relate(first, second, &shares) == Alias::No
        })
    };
    let atoms = conditions
        .iter()
        .flat_map(|condition| condition.poly().atoms());
    let of_forms = band.atoms().filter(|_| rests_on_forms);
    let atoms = atoms.chain(of_forms).collect();
    // Nothing may read the target of a transfer before its wait.
    let is_copied = !copied.is_empty();
    if is_copied && body.may_hold_any(is_transfer) {
        return None;
    }
    let is_legal = !band.written.is_empty()
        && conditions
            .iter()
            .all(|condition| condition.poly().fits() && !condition.is_hopeless())
        && band.bounds.iter().flatten().all(Poly::fits)
        && band.accesses.iter().all(is_distinct);
    is_legal.then_some(Strided {
        loops: loops.to_vec(),
        bounds: band.bounds,
        shifts: band.shifts,
        conditions,
        atoms,
        live_in: copied,
        distance,
        is_mapped: false,
    })
}

impl Strided {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let root = self.loops[0];
        let mut b = Builder::before(ctx, body, root);
        let mut tests: Vec<Value> = self.tests(&mut b);
        for loads in &self.live_in {
            let [lower, upper, _] = &self.bounds[0];
            let (lower, upper) = (lower.write(&mut b), upper.write(&mut b));
            let trips = b.binary(arith::SUBI, upper, lower);
            tests.push(loads.is_worth_a_copy(&mut b, trips));
        }
        let all = { tests.into_iter() }.reduce(|x, y| b.binary(arith::ANDI, x, y));
        if let Some(condition) = all {
            if self.is_mapped {
                let other = negated(&mut b, condition);
                part_nest(&mut b, root, [other, condition]);
            } else {
                // The copy is the sequential version.
                let copy = b.body.clone_op(root, &mut IrMapping::new());
                put_under_test(&mut b, condition, root, copy);
            }
        }
        for loads in &self.live_in {
            loads.apply(ctx, &mut b, root);
        }
        match &self.distance {
            Some(distance) => residues::split(ctx, body, root, &self.bounds[0], distance),
            None => self.parallelize(ctx, body),
        }
    }

    /// Emits the run-time conditions.
    fn tests(&self, b: &mut Builder) -> Vec<Value> {
        let mut tests = Vec::new();
        let zero = b.index_constant(0);
        for &atom in &self.atoms {
            // As unsigned numbers, negative ones exceed the limit.
            let (value, most) = match atom {
                Atom::Value(value) => {
                    let value = as_index(b, value);
                    let shift = b.index_constant(MAX_MAGNITUDE);
                    (b.binary(arith::ADDI, value, shift), 2 * MAX_MAGNITUDE)
                }
                Atom::Power(value) => (as_index(b, value), i64::from(MAX_MAGNITUDE.ilog2())),
            };
            let most = b.index_constant(most);
            tests.push(CmpIOp::create(b, CmpIPredicate::Ule, value, most));
        }
        for condition in &self.conditions {
            let number = condition.poly().write(b);
            tests.push(match condition {
                RuntimeCondition::Natural(_) => CmpIOp::create(b, CmpIPredicate::Sge, number, zero),
                RuntimeCondition::Positive(_) => {
                    CmpIOp::create(b, CmpIPredicate::Sgt, number, zero)
                }
                RuntimeCondition::PowerOfTwo(_) => {
                    let one = b.index_constant(1);
                    let mask = b.binary(arith::SUBI, number, one);
                    let others = b.binary(arith::ANDI, number, mask);
                    CmpIOp::create(b, CmpIPredicate::Eq, others, zero)
                }
            });
        }
        tests
    }

    /// Rewrites the loops as one parallel band; computations between them move into its iterations.
    fn parallelize(&self, ctx: &Context, body: &mut Body) {
        let affine: Option<Vec<ForOp>> =
            self.loops.iter().map(|&op| ForOp::cast(body, op)).collect();
        if let Some(loops) = affine {
            loops
                .into_iter()
                .rev()
                .for_each(|l| into_parallel(ctx, body, l));
            return;
        }
        let root = self.loops[0];
        let mut b = Builder::before(ctx, body, root);
        let columns = [0, 1, 2].map(|column| {
            let bounds = self
                .bounds
                .iter()
                .map(|bounds| bounds[column].write(&mut b));
            bounds.collect::<Vec<Value>>()
        });
        let band = scf::ParallelOp::create(&mut b, &columns);
        let (counters, mut end) = (band.induction_vars(b.body).to_vec(), band.reduce(b.body));
        // Outermost first: inner computations use outer ones.
        for (at, (&op, mut counter)) in self.loops.iter().zip(counters).enumerate() {
            let Some(inside) = body.region_block(op, 0) else {
                continue;
            };
            if let Some(shift) = self.shifts[at] {
                (counter, end) = shift.apply(ctx, body, (op, counter), end);
            }
            body.replace_uses(induction_var(body, op), counter);
            let ops: Vec<OpId> = body.ops(inside).collect();
            for op in ops {
                let is_end = matches!(body[op].name, scf::YIELD | affine::YIELD);
                if !is_end && !self.loops.contains(&op) {
                    body.detach(op);
                    body.insert_before(end, op);
                }
            }
        }
        body.erase(root);
    }
}
