//! Mechanism: peels an iteration, and decides the conditions in both parts.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_dialects::{arith, scf};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use super::conditions::{CounterRange, truth};
use crate::analysis::loop_kind::is_affine_loop;
use crate::transform::affine_loop_unroll::copy_iteration;
use crate::transform::emit_loops::bound;

/// The iteration that is peeled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    First,
    Last,
}

/// Peel: a loop, and the iteration that a condition in it singles out.
#[derive(Clone, Copy)]
pub(super) struct Peel {
    pub(super) op: ForOp,
    end: End,
    lower: i64,
    step: i64,
    /// The counter of the last iteration, where that and an iteration before it are known to run.
    last: Option<i64>,
}

/// Parts of a peeled loop.
pub(super) struct Parts {
    /// The loop of all other iterations.
    pub(super) rest: ForOp,
    /// The loop of the peeled iteration itself, where that may not run.
    pub(super) one: Option<ForOp>,
    /// The loops of the peeled iteration.
    pub(super) peeled_loops: Vec<OpId>,
}

impl Peel {
    /// The outermost loop of a nest that a condition singles out an iteration of.
    pub(super) fn in_nest(ctx: &Context, body: &Body, root: ForOp) -> Option<Peel> {
        let ops = body.walk_op(root.0).into_iter();
        let mut loops = ops.filter_map(|op| ForOp::cast(body, op));
        loops.find_map(|op| Peel::of(ctx, body, op))
    }

    /// The peel of the first iteration; `None` where the numbers of the iterations are not known.
    pub(super) fn first(ctx: &Context, body: &Body, op: ForOp) -> Option<Peel> {
        let (lower, step) = (op.constant_lower(ctx, body)?, op.step(ctx, body));
        let last = match op.constant_upper(ctx, body) {
            None => None,
            Some(_) => {
                let trips = op.signed_trip_count(ctx, body)?;
                let steps = trips.checked_sub(1).filter(|&steps| steps > 0)?;
                Some(lower.checked_add(steps.checked_mul(step)?)?)
            }
        };
        // The bound of an iteration that may not run.
        lower.checked_add(step)?;
        Some(Peel {
            op,
            end: End::First,
            lower,
            step,
            last,
        })
    }

    fn of(ctx: &Context, body: &Body, op: ForOp) -> Option<Peel> {
        let first = Peel::first(ctx, body, op)?;
        let counter = op.induction_var(body);
        let below = body.walk_op(op.0);
        let peels = |end: End| {
            let peel = Peel { end, ..first };
            let [one, rest] = peel.ranges()?;
            let is_told = |&test: &OpId| {
                let [one, rest] = [one, rest].map(|range| truth(ctx, body, test, counter, range));
                one.zip(rest).is_some_and(|(one, rest)| one != rest)
            };
            below.iter().any(is_told).then_some(peel)
        };
        peels(End::First).or_else(|| peels(End::Last))
    }

    /// The counters of the peeled iteration and of the rest; `None` where they are not known.
    fn ranges(&self) -> Option<[CounterRange; 2]> {
        let [lower, step] = [self.lower, self.step].map(i128::from);
        match self.end {
            End::First => {
                let last = self.last.unwrap_or(i64::MAX).into();
                let first = lower + step;
                Some([CounterRange::only(self.lower), CounterRange { first, last }])
            }
            End::Last => {
                let last = self.last?;
                let rest = CounterRange {
                    first: lower,
                    last: i128::from(last) - step,
                };
                Some([CounterRange::only(last), rest])
            }
        }
    }

    /// Peels the iteration.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) -> Parts {
        let [lower, upper] = [self.op.lower(ctx, body), self.op.upper(ctx, body)]
            .map(|bound| (bound.map, bound.operands.to_vec()));
        let (lower, upper) = (bound(&lower), bound(&upper));
        let inits = self.op.inits(ctx, body).to_vec();
        let mut b = Builder::before(ctx, body, self.op.0);
        let mut parts = Vec::new();
        let mut only = None;
        let (rest, results) = match (self.end, self.last) {
            (End::First, last) => {
                let next = self.lower + self.step;
                let inits = match last {
                    Some(_) => self.iteration(&mut b, self.lower, &inits, &mut parts),
                    None => {
                        let one = self.part(&mut b, [lower, at_most(ctx, upper, next)], &inits);
                        let counter = one.induction_var(b.body);
                        only = Some(one);
                        parts.push((vec![one.0], counter, CounterRange::only(self.lower)));
                        b.body[one.0].results().collect()
                    }
                };
                let rest = self.part(&mut b, [Bound::constant(ctx, next), upper], &inits);
                (rest, b.body[rest.0].results().collect())
            }
            (End::Last, last) => {
                // `ranges` has no last iteration without its counter.
                let last = last.unwrap_or(self.lower);
                let rest = self.part(&mut b, [lower, Bound::constant(ctx, last)], &inits);
                let inits: Vec<Value> = b.body[rest.0].results().collect();
                let results = self.iteration(&mut b, last, &inits, &mut parts);
                (rest, results)
            }
        };
        let copies = parts.iter().flat_map(|(roots, ..)| roots);
        let peeled_loops = { copies.flat_map(|&root| b.body.walk_op(root)) }
            .filter(|&op| is_affine_loop(b.body, op))
            .collect();
        if let Some([_, range]) = self.ranges() {
            parts.push((vec![rest.0], rest.induction_var(b.body), range));
        }
        body.replace_op(self.op.0, &results);
        for (roots, counter, range) in parts {
            decide(ctx, body, &roots, counter, range);
        }
        Parts {
            rest,
            one: only,
            peeled_loops,
        }
    }

    /// Writes the loop between other bounds.
    fn part(&self, b: &mut Builder, [lower, upper]: [Bound; 2], inits: &[Value]) -> ForOp {
        let new = ForOp::create(b, lower, upper, self.step, inits);
        let block = new.block(b.body);
        let (counter, args) = (new.induction_var(b.body), new.iter_args(b.body).to_vec());
        b.set(InsertPoint::End(block));
        let old = self.op.block(b.body);
        let yielded = copy_iteration(b, old, counter, &args);
        affine::yield_values(b, block, &yielded);
        b.set(InsertPoint::Before(self.op.0));
        new
    }

    /// Writes one iteration in front of the loop. Returns what it yields.
    fn iteration(
        &self,
        b: &mut Builder,
        at: i64,
        args: &[Value],
        parts: &mut Vec<(Vec<OpId>, Value, CounterRange)>,
    ) -> Vec<Value> {
        let counter = b.index_constant(at);
        let before = b.body[self.op.0].prev();
        let block = self.op.block(b.body);
        let yielded = copy_iteration(b, block, counter, args);
        let copies = std::iter::successors(b.body[self.op.0].prev(), |&op| b.body[op].prev());
        let mut copies: Vec<OpId> = copies.take_while(|&op| Some(op) != before).collect();
        copies.reverse();
        parts.push((copies, counter, CounterRange::only(at)));
        yielded
    }
}

/// An upper bound, or a number if that is less.
fn at_most<'v>(ctx: &Context, bound: Bound<'v>, number: i64) -> Bound<'v> {
    let data = bound.map.data(ctx);
    let results = data.results.iter().copied();
    let results: Vec<_> = results.chain([ctx.affine_const(number)]).collect();
    Bound {
        map: ctx.affine_map(data.dims, data.symbols, &results),
        operands: bound.operands,
    }
}

/// Replaces what a range of the counter decides: conditions on it, what is computed of these, and branches on them.
fn decide(ctx: &Context, body: &mut Body, roots: &[OpId], counter: Value, range: CounterRange) {
    let ops: Vec<OpId> = roots.iter().flat_map(|&root| body.walk_op(root)).collect();
    let mut erased: HashSet<OpId> = HashSet::new();
    // In the order of the text, so that conditions come before their uses.
    for op in ops {
        if erased.contains(&op) {
            continue;
        }
        if let Some(value) = chosen(ctx, body, op) {
            body.replace_op(op, &[value]);
            continue;
        }
        let known = match body[op].name {
            scf::IF => boolean(ctx, body, body[op].operands[0]),
            _ => truth(ctx, body, op, counter, range),
        };
        let Some(known) = known else {
            continue;
        };
        if body[op].name == arith::CMPI {
            let mut b = Builder::before(ctx, body, op);
            let value = b.constant(ctx.bool_attr(known), ctx.bool_type());
            body.replace_op(op, &[value]);
            continue;
        }
        erased.extend(take_branch(body, op, known));
    }
}

/// The value of a constant `i1`.
fn boolean(ctx: &Context, body: &Body, value: Value) -> Option<bool> {
    let value = (body.ty(value) == ctx.bool_type()).then_some(value)?;
    arith::constant_int(ctx, body, value).map(|value| value != 0)
}

/// The operand that a selection, or a connective of two `i1`, gives where one of its operands is constant.
fn chosen(ctx: &Context, body: &Body, op: OpId) -> Option<Value> {
    let operands = &body[op].operands;
    match (body[op].name, &operands[..]) {
        (arith::SELECT, &[condition, yes, no]) => {
            let is_taken = boolean(ctx, body, condition)?;
            Some(if is_taken { yes } else { no })
        }
        (name @ (arith::ANDI | arith::ORI), &[left, right]) => {
            let (known, constant, other) = match boolean(ctx, body, left) {
                Some(known) => (known, left, right),
                None => (boolean(ctx, body, right)?, right, left),
            };
            // The neutral element leaves the other operand, the absorbing one only itself.
            let is_neutral = known == (name == arith::ANDI);
            Some(if is_neutral { other } else { constant })
        }
        _ => None,
    }
}

/// Replaces a branch by one of its sides. Returns the operations that are gone.
fn take_branch(body: &mut Body, branch: OpId, side: bool) -> Vec<OpId> {
    let region = usize::from(!side);
    let other = body.region_block(branch, 1 - region);
    let mut gone: Vec<OpId> = Vec::new();
    if let Some(other) = other {
        let ops: Vec<OpId> = body.ops(other).collect();
        gone.extend(ops.into_iter().flat_map(|op| body.walk_op(op)));
    }
    let mut ops: Vec<OpId> = match body.region_block(branch, region) {
        Some(block) => body.ops(block).collect(),
        None => Vec::new(),
    };
    if let Some(end) = ops.pop() {
        gone.push(end);
        let yielded = body[end].operands.to_vec();
        let results: Vec<Value> = body[branch].results().collect();
        for op in ops {
            body.detach(op);
            body.insert_before(branch, op);
        }
        for (result, value) in results.into_iter().zip(yielded) {
            body.replace_uses(result, value);
        }
    }
    body.erase(branch);
    gone
}
