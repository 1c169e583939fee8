//! `affine-privatize-updates`: gives threads their own arrays for updates of data-dependent
//! elements, and combines these at the end.
//!
//! ```text
//! affine.for %i = 0 to 65536 {              affine.parallel (%g, %l) = (0, 0) to (64, 8) {
//!   %b = …                                    affine.for %k = 0 to 256 { store %zero, %own[%g, %l, %k] }
//!   %x = memref.load %h[%b]                   affine.for %i = %g * 1024 + %l
//!   %y = arith.addi %x, %one          ⇒           to min(65536, %g * 1024 + 1024) step 8 {
//!   memref.store %y, %h[%b]                     %b = …
//! }                                             update of %own[%g, %l, %b]
//!                                             }
//!                                           }
//!                                           affine.for %k = 0 to 256 {
//!                                             %h[%k] += the sum of %own[%g, %l, %k] over all %g, %l
//!                                           }
//! ```
//!
//! Legal where `affine-atomic-updates` is: updates of one kind are the only loop-carried
//! dependences. Done for targets on which atomic updates take turns, to outermost loops in steps of
//! 1 from a constant, whose arrays have a small constant shape, where the updates are many more
//! than the elements to fill and combine. Threads take rows of adjacent iterations in turns;
//! remaining iterations follow, one for each thread. Of a perfect nest, groups share an outer loop
//! and the threads of a group an inner one (`levels.rs`). Each array starts from the neutral element, so
//! that an element that no iteration updates keeps its value.
//!
//! Updates under conditions or out of range go to margins of the copies instead of around a branch
//! (`margins.rs`). Where workgroups have fast memory of their own, their threads share copies there
//! (`workgroups.rs`).

mod arrays;
mod combine;
mod levels;
mod margins;
mod predication;
mod workgroups;

use gridloom_dialects::affine::{self, Bound, ForOp, ParallelOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::{
    AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Module, OpId, Value,
};

use super::affine_atomic_updates::{Update, spell_out, updating_loops};
use super::emit_loops::go_behind;
use super::map_inputs::Inputs;
use super::plans::{Plans, change_by_plans};
use super::unrolled_rows::Rows;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::target::OffloadOptions;
use arrays::{Array, arrays_of};
use levels::{Levels, levels_of};
use margins::{Margins, close_test, margins_of, not, open_test};

/// Limit of the elements of an array that each thread has a copy of.
const MAX_ELEMENTS: i64 = 1 << 12;

/// Profitability threshold: minimal number of updates for each element that is filled and combined.
const LEAST_SHARE: i64 = 4;

/// Number of thread groups for a loop of unknown trip count.
const UNKNOWN_GROUPS: i64 = 16;

/// Limit of the elements of all arrays there: filling and combining them has a fixed cost, however
/// few updates there are.
const UNKNOWN_ELEMENTS: i64 = 1 << 9;

/// Limit of the magnitude of a constant bound, so that sums of bounds and shares fit 64 bits.
const MAX_BOUND: u64 = 1 << 40;

/// Privatizes, for each thread or workgroup, the arrays that loops of a module update. Returns whether
/// anything changed.
pub fn privatize_updates(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let can_privatize = options.private_updates.is_some() || options.reduction.shares;
    let is_spelled = can_privatize && spell_out(ctx, module, options);
    if options.private_updates.is_some() {
        return change_by_plans(
            ctx,
            module,
            1,
            |body, globals| plan_body(ctx, body, globals, options, plan),
            |plan, body| plan.apply(ctx, body),
        ) || is_spelled;
    }
    let is_changed = options.reduction.shares
        && change_by_plans(
            ctx,
            module,
            1,
            |body, globals| plan_body(ctx, body, globals, options, workgroups::plan),
            |plan, body| plan.apply(ctx, body),
        );
    is_changed || is_spelled
}

/// Privatization plan: a loop whose updates go to private arrays.
struct Privatized {
    /// The loops from the root to the one that the threads of a group share.
    band: Vec<ForOp>,
    /// The loop of the band that groups share.
    grouped: usize,
    updates: Vec<Update>,
    arrays: Vec<Array>,
    /// Number of thread groups, and of threads in each.
    threads: [i64; 2],
    /// Iterations of a group; `None` where groups interleave.
    span: Option<i64>,
    /// Row length: adjacent iterations that a thread takes at a time.
    row: i64,
    /// Whether iterations may remain after whole rows.
    has_remainder: bool,
    /// Updates that may be out of range, where they go to margins of the arrays.
    margins: Option<Margins>,
}

fn plan_body<P>(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
    plan: impl Fn(&mut Dependences, ForOp, Vec<Update>, &OffloadOptions) -> Option<P>,
) -> Plans<P> {
    let mut deps = Dependences::new(ctx, body, globals);
    let found = updating_loops(&mut deps, options);
    let spelled = |(_, updates): &(ForOp, Vec<Update>)| {
        let mut updates = updates.iter();
        updates.all(|update| update.is_spelled_out(body))
    };
    let plans = found.into_iter().filter(spelled);
    let plans = plans.filter_map(|(root, updates)| plan(&mut deps, root, updates, options));
    let plans = plans.collect();
    (plans, deps.aliases.relied_on_arguments())
}

fn plan(
    deps: &mut Dependences,
    root: ForOp,
    updates: Vec<Update>,
    options: &OffloadOptions,
) -> Option<Privatized> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let [groups, lanes] = options.private_updates?;
    if !is_outermost(ctx, body, root) {
        return None;
    }
    let mut arrays = arrays_of(ctx, body, root, &updates)?;
    let elements: i64 = arrays.iter().map(Array::size).sum();
    let Levels {
        band,
        grouped,
        row,
        count,
    } = levels_of(deps, root, &updates, options, [groups, lanes]);
    let shared = band[grouped].signed_trip_count(ctx, body);
    let groups = match count {
        // Updates inside of other inner loops run more often than that.
        Some(count) => groups.min(count / (LEAST_SHARE * elements.max(1) * lanes)),
        None if elements > UNKNOWN_ELEMENTS => return None,
        None => UNKNOWN_GROUPS.min(groups),
    };
    let is_alone = grouped + 1 == band.len();
    let turn = if is_alone { lanes * row } else { 1 };
    let groups = match shared {
        Some(trips) if !is_alone => groups.min(trips),
        _ => groups,
    };
    if groups < 2 {
        return None;
    }
    let innermost = band[band.len() - 1];
    let iteration = innermost.block(body);
    let vector = options.reduction.vector;
    let margins = margins_of(deps, root, iteration, &updates, &mut arrays, vector);
    let innermost = innermost.signed_trip_count(ctx, body);
    Some(Privatized {
        margins,
        grouped,
        updates,
        arrays,
        threads: [groups, lanes],
        span: shared.map(|trips| (trips - 1) / (groups * turn) * turn + turn),
        row,
        has_remainder: innermost.map_or(row > 1, |trips| trips % row != 0),
        band,
    })
}

/// Whether a loop is outermost, and its bounds allow that threads share it.
fn is_outermost(ctx: &Context, body: &Body, root: ForOp) -> bool {
    let around = body.ancestors(root.0);
    let mut around = around.filter(|&op| !matches!(body[op].name, affine::IF | scf::IF));
    has_plain_bounds(ctx, body, root) && around.next().is_none()
}

/// Whether a loop has step 1, a constant lower bound and an upper one of a single expression.
fn has_plain_bounds(ctx: &Context, body: &Body, root: ForOp) -> bool {
    let (lower, upper) = (
        root.constant_lower(ctx, body),
        root.constant_upper(ctx, body),
    );
    let is_near = |end: i64| end.unsigned_abs() <= MAX_BOUND;
    // Shares extend beyond the last iteration by less than a share; a loop with a larger, unknown
    // bound would never end.
    root.upper(ctx, body).map.results(ctx).len() == 1
        && lower.is_some_and(is_near)
        && upper.is_none_or(is_near)
        && root.step(ctx, body) == 1
}

/// Whether the bound of the row loop fits 64 bits.
fn has_safe_rows(deps: &mut Dependences, root: ForOp, row: i64) -> bool {
    let values = &mut deps.values;
    let (ctx, body) = (values.ctx, values.body);
    let upper = root.upper(ctx, body);
    let env = values.environment_at(root.0);
    let exprs = values.map_exprs(root.0, upper.map, upper.operands);
    let lower = root.constant_lower(ctx, body);
    let (Some(&Some(upper)), Some(lower)) = (exprs.first(), lower) else {
        return false;
    };
    let in_front = ctx.affine_sub(upper, ctx.affine_const(row));
    let way = ctx.affine_sub(upper, ctx.affine_const(lower));
    let before = ctx.affine_sub(way, ctx.affine_const(row));
    values.fits(in_front, env) && values.fits(before, env)
}

impl Privatized {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let root = self.band[0].0;
        let mut b = Builder::before(ctx, body, root);
        let own: Vec<Value> = (self.arrays.iter())
            .map(|array| {
                let shape = [&self.threads[..], &array.padded()].concat();
                let ty = ctx.memref_type(&shape, array.element);
                memref::AllocOp::create(&mut b, ty, &[])
            })
            .collect();
        self.update(&mut b, &own);
        for (array, &own) in self.arrays.iter().zip(&own) {
            self.combine(&mut b, array, own);
        }
        for &own in &own {
            b.create(b.state(memref::DEALLOC).operands(&[own]));
        }
        body.erase(root);
    }

    /// Emits the band in which each thread fills its arrays and updates them.
    fn update(&self, b: &mut Builder, own: &[Value]) {
        let ctx = b.ctx;
        let counts = self.threads.map(|count| ctx.affine_const(count));
        let count = Bound {
            map: ctx.affine_map(0, 0, &counts),
            operands: &[],
        };
        let band = ParallelOp::create(b, count);
        let block = band.block(b.body);
        b.set(InsertPoint::Start(block));
        let thread = band.induction_vars(b.body).to_vec();
        for (array, &own) in self.arrays.iter().zip(own) {
            self.fill(b, array, own, &thread);
        }
        let inits = (self.margins.as_ref()).map_or(Vec::new(), |margins| margins.inits(b));
        let none = IrMapping::new();
        let update = |b: &mut Builder, names: IrMapping, carried: &[Value]| {
            self.iteration(b, names, carried, &thread, own)
        };
        let good = self.share(b, 0, (&none, &thread), &inits, &update);
        if let (Some(margins), &[good]) = (&self.margins, &good[..]) {
            let bad = not(b, good);
            let test = open_test(b, bad);
            let report = |b: &mut Builder, names: IrMapping, _: &[Value]| {
                margins.report(b, &self.arrays, names);
                Vec::new()
            };
            self.share(b, 0, (&none, &thread), &[], &report);
            close_test(b, test);
        }
        go_behind(b, band.0);
    }

    /// Emits a thread's share of the loop at a depth of the band, with `each` for what an iteration
    /// of the innermost one runs. `names` maps the counters around it, which `each` takes with that
    /// iteration's and the carried values. Returns the final ones.
    fn share(
        &self,
        b: &mut Builder,
        depth: usize,
        (names, thread): (&IrMapping, &[Value]),
        inits: &[Value],
        each: &impl Fn(&mut Builder, IrMapping, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let level = self.band[depth];
        let mut carried = inits.to_vec();
        for rows in &self.shares(b.ctx, b.body, depth, names, thread) {
            carried = rows.write(b, &carried, |b, iv, carried| {
                let mut names = names.clone();
                names.map(level.induction_var(b.body), iv);
                match depth + 1 < self.band.len() {
                    true => self.share(b, depth + 1, (&names, thread), carried, each),
                    false => each(b, names, carried),
                }
            });
        }
        carried
    }

    /// Emits an iteration of the innermost loop of the band, with updates of the thread's arrays.
    /// Returns the next carried values.
    fn iteration(
        &self,
        b: &mut Builder,
        mut names: IrMapping,
        carried: &[Value],
        thread: &[Value],
        own: &[Value],
    ) -> Vec<Value> {
        let ctx = b.ctx;
        let statements = match &self.margins {
            Some(margins) => margins.statements.clone(),
            None => self.band[self.band.len() - 1].statements(b.body),
        };
        let mut tested = (self.margins.as_ref()).map(|margins| margins.tested(carried));
        let names = &mut names;
        copy(b, &statements, names, |body, names, (old, new)| {
            if let (Some(margins), Some(tested)) = (&self.margins, &mut tested) {
                margins.clamp(ctx, body, (old, new), (&self.arrays, names), tested);
            }
            self.redirect(body, old, new, thread, own);
        });
        tested.and_then(|tested| tested.good).into_iter().collect()
    }

    /// The loops over a thread's share of the loop at a depth: over rows, then over remaining
    /// iterations.
    fn shares(
        &self,
        ctx: &Context,
        body: &Body,
        depth: usize,
        names: &IrMapping,
        thread: &[Value],
    ) -> Vec<Rows> {
        let level = self.band[depth];
        let [by_groups, by_threads] = self.sharers(depth);
        let groups = if by_groups { self.threads[0] } else { 1 };
        let (lanes, row) = match by_threads {
            true => (self.threads[1], self.row),
            false => (1, 1),
        };
        let mut inputs = Inputs::new(ctx);
        let (group, lane) = (inputs.dim(thread[0]), inputs.dim(thread[1]));
        let low = inputs.import(level.lower(ctx, body), names)[0];
        let upper = inputs.import(level.upper(ctx, body), names)[0];
        let turn = lanes * row;
        let (mut first, mut ends, mut pitch) = (low, vec![upper], turn);
        if by_groups {
            first = ctx.affine_add(low, inputs.times(group, self.span.unwrap_or(turn)));
            match self.span {
                Some(span) => ends.push(inputs.plus(first, span)),
                None => pitch = groups * turn,
            }
        }
        if by_threads {
            first = ctx.affine_add(first, inputs.times(lane, row));
        }
        // A row begins only where its last iteration is in the share.
        let ends: Vec<AffineExpr> = (ends.iter())
            .map(|&end| inputs.plus(end, 1 - row))
            .collect();
        let mut shares = vec![Rows {
            lower: inputs.finish(&[first]),
            upper: inputs.finish(&ends),
            pitch,
            step: 1,
            row,
        }];
        if by_threads && self.has_remainder {
            let behind = inputs.behind_rows(low, upper, 1, row);
            let place = match by_groups {
                true => ctx.affine_add(inputs.times(group, lanes), lane),
                false => lane,
            };
            // In a loop without iterations, `behind` may lie before its start.
            let firsts = [behind, low].map(|start| ctx.affine_add(start, place));
            shares.push(Rows {
                lower: inputs.finish(&firsts),
                upper: inputs.finish(&[upper]),
                pitch: groups * lanes,
                step: 1,
                row: 1,
            });
        }
        shares
    }

    /// Redirects the clone of an update's load or store to the thread's array.
    fn redirect(&self, body: &mut Body, old: OpId, new: OpId, thread: &[Value], own: &[Value]) {
        let is_load = self.updates.iter().any(|update| update.load == old);
        let is_store = self.updates.iter().any(|update| update.store == old);
        // The memref is the first operand, or follows the stored value.
        let at = match (is_load, is_store) {
            (true, _) => 0,
            (_, true) => 1,
            _ => return,
        };
        let operands = &mut body[new].operands;
        let array = self
            .arrays
            .iter()
            .position(|array| array.memref == operands[at]);
        if let Some(array) = array {
            operands[at] = own[array];
            for (n, &counter) in thread.iter().enumerate() {
                operands.insert(at + 1 + n, counter);
            }
        }
    }
}

/// Clones statements of an iteration, whose counters `names` maps. `redirect` takes each of these
/// operations and its clone.
fn copy(
    b: &mut Builder,
    statements: &[OpId],
    names: &mut IrMapping,
    mut redirect: impl FnMut(&mut Body, &IrMapping, (OpId, OpId)),
) {
    for &statement in statements {
        let copy = b.insert_copy(statement, names);
        let [old, new] = [statement, copy].map(|op| b.body.walk_op(op));
        for pair in old.into_iter().zip(new) {
            redirect(b.body, names, pair);
        }
    }
}
