//! Conditional counters: turns an induction variable that a branch advances into a sum of
//! predicates.
//!
//! ```text
//! scf.if %c {                              %n = affine.load %count[]
//!   %n = affine.load %count[]              %d = arith.select %c, %one, %zero
//!   memref.store %x, %out[%n]              %m = arith.addi %n, %d
//!   %m = arith.addi %n, %one         ⇒     scf.if %c {
//!   affine.store %m, %count[]                memref.store %x, %out[%n]
//! }                                        }
//!                                          affine.store %m, %count[]
//!
//! %m = scf.if %c -> index {                %d = arith.select %c, %one, %zero
//!   memref.store %x, %out[%n]              %m = arith.addi %n, %d
//!   %k = arith.addi %n, %one         ⇒     scf.if %c {
//!   scf.yield %k                             memref.store %x, %out[%n]
//! } else { scf.yield %n }                  }
//! ```
//!
//! What each iteration adds is then known without the branch, so that `affine-parallelize-scans` can
//! compute the counter of all iterations side by side: stream compaction. Integers only, which adding
//! 0 leaves as they are.
//!
//! In values nothing more is asked, but that something looks at the counter: sums that
//! nobody looks at are reductions as they stand. In memory the element has to be one of all iterations that
//! is there whether the condition holds or not, and nothing else in the branch may touch it but loads in front of the
//! store, which find what it held. A branch may advance several counters, one in each arm too.

use gridloom_dialects::affine::{ForOp, YIELD as AFFINE_YIELD};
use gridloom_dialects::arith::{self, select};
use gridloom_dialects::scf;
use gridloom_ir::op::Traits;
use gridloom_ir::{Attr, BlockId, Body, Builder, Context, OpId, Type, Value};

use super::Finder;
use super::update::with_results;
use crate::analysis::access::{Place, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::parallel::MAX_ACCESSES;
use crate::analysis::reduction::int_attr;
use crate::transform::element::Element;

/// Step by which a branch advances a counter.
#[derive(Clone, Copy)]
enum Step {
    /// A value from outside of the branch.
    Value(Value),
    /// A constant.
    Constant(Attr),
}

/// Conditional counter: one that a branch advances.
pub(super) struct Counter {
    op: OpId,
    condition: Value,
    /// Whether the then branch advances the counter, else the else branch.
    is_advanced_if: bool,
    step: Step,
    ty: Type,
    zero: Attr,
    place: CounterStorage,
    /// Other loads of the branch that find the counter before it advances.
    repeated: Vec<OpId>,
    /// Whether the plan relies on disjoint arguments.
    pub(super) relies_on_arguments: bool,
}

/// Storage of a counter.
enum CounterStorage {
    /// A value that the loop carries: its position, and the result of the branch.
    Carried(Value, usize),
    /// In an element: the load, the sum and the store of the branch.
    Element(OpId, OpId, OpId),
}

impl Finder<'_> {
    /// Matches a branch that advances a counter, and plans its conversion.
    pub(super) fn counter(&self, op: OpId, globals: &Globals) -> Option<Counter> {
        let l = self.loop_around(op)?;
        self.carried(op, l)
            .or_else(|| self.in_memory(op, l, globals))
    }

    /// Matches a loop-carried counter, where the branch stores.
    fn carried(&self, op: OpId, l: ForOp) -> Option<Counter> {
        let body = self.body;
        let arms = [0, 1].map(|region| {
            let block = body.region_block(op, region)?;
            body[block].last().map(|last| body[last].operands.to_vec())
        });
        let [Some(yes), Some(no)] = arms else {
            return None;
        };
        let (args, yielded) = (l.iter_args(body), l.yielded(body));
        if body[op].num_results() == 0 {
            return None;
        }
        body[op].results().enumerate().find_map(|(k, result)| {
            let at = yielded.iter().position(|&value| value == result)?;
            let held = *args.get(at)?;
            let (next, is_advanced_if) = match (yes[k] == held, no[k] == held) {
                (false, true) => (yes[k], true),
                (true, false) => (no[k], false),
                _ => return None,
            };
            let sum = body.defining_op(next)?;
            let step = self.step(op, sum, held)?;
            let counter =
                self.planned(op, is_advanced_if, step, CounterStorage::Carried(held, k))?;
            self.is_seen(op, sum, held).then_some(counter)
        })
    }

    /// Whether a counter has users besides its own sum and terminators.
    fn is_seen(&self, op: OpId, sum: OpId, held: Value) -> bool {
        let body = self.body;
        let uses = body.uses();
        let is_end = |user: OpId| matches!(body[user].name, scf::YIELD | AFFINE_YIELD);
        let mut users = uses.of(held).iter();
        let mut sums = uses.of(body[sum].result(0)).iter();
        let results = body[op].results();
        let mut results = results.flat_map(|result| uses.of(result).iter());
        users.any(|user| user.op != sum && !is_end(user.op))
            || sums.any(|user| !is_end(user.op))
            || results.any(|user| !is_end(user.op))
    }

    /// Matches a counter in memory, whose element only this branch of an iteration touches.
    fn in_memory(&self, op: OpId, l: ForOp, globals: &Globals) -> Option<Counter> {
        (self.body[op].num_results() == 0)
            .then(|| (0..2).find_map(|region| self.in_memory_of(op, region, l, globals)))?
    }

    /// Matches a counter in memory that one arm of a branch advances.
    fn in_memory_of(
        &self,
        op: OpId,
        region: usize,
        l: ForOp,
        globals: &Globals,
    ) -> Option<Counter> {
        let (ctx, body) = (self.ctx, self.body);
        let arm = body.region_block(op, region)?;
        body.ops(arm).find_map(|store| {
            if !is_store(body, store) {
                return None;
            }
            let sum = body.defining_op(body[store].operands[0])?;
            let element = Element::of(ctx, body, store)?;
            let load = body[sum].operands.iter().find_map(|&value| {
                let load = body.defining_op(value).filter(|&op| is_load(body, op))?;
                let is_here = body[load].parent() == Some(arm);
                let is_same = Element::of(ctx, body, load).as_ref() == Some(&element);
                (is_here && is_same).then_some(load)
            })?;
            let step = self.step(op, sum, body[load].result(0))?;
            let place = CounterStorage::Element(load, sum, store);
            let mut counter = self.planned(op, region == 0, step, place)?;
            let before = body.ops(arm).take_while(|&op| op != store);
            counter.repeated = before
                .filter(|&op| op != load && is_load(body, op))
                .filter(|&op| Element::of(ctx, body, op).as_ref() == Some(&element))
                .collect();
            let own = [&[load, store], &counter.repeated[..]].concat();
            let is_there = self.is_kept(l, &element) && self.is_there(l, &element);
            counter.relies_on_arguments =
                is_there.then(|| self.is_alone(op, &own, l, globals))??;
            Some(counter)
        })
    }

    /// Whether nothing else in a branch touches the element of loads and a store; if so, whether
    /// that relies on disjoint arguments.
    pub(super) fn is_alone(
        &self,
        op: OpId,
        own: &[OpId],
        l: ForOp,
        globals: &Globals,
    ) -> Option<bool> {
        let mut deps = Dependences::new(self.ctx, self.body, globals);
        let accesses = accesses_below(&mut deps.values, op);
        let (mine, others): (Vec<_>, Vec<_>) =
            accesses.into_iter().partition(|a| own.contains(&a.op));
        let element = mine.first()?;
        let scope = Scope::AnyIterations(l.0);
        let is_alone = others.len() <= MAX_ACCESSES
            && others.iter().all(|other| {
                other.place != Place::Anything && !deps.may_overlap(scope, element, other)
            });
        is_alone.then(|| deps.aliases.relied_on_arguments())
    }

    /// The step of `sum = held + step`, if it is available in front of the branch.
    fn step(&self, op: OpId, sum: OpId, held: Value) -> Option<Step> {
        let (ctx, body) = (self.ctx, self.body);
        if body[sum].name != arith::ADDI {
            return None;
        }
        let step = match body[sum].operands[..] {
            [left, right] if left == held && right != held => right,
            [left, right] if right == held && left != held => left,
            _ => return None,
        };
        if let Some(constant) = arith::constant_value(ctx, body, step) {
            return Some(Step::Constant(constant));
        }
        (!body.is_defined_in(step, op)).then_some(Step::Value(step))
    }

    fn planned(
        &self,
        op: OpId,
        is_advanced_if: bool,
        step: Step,
        place: CounterStorage,
    ) -> Option<Counter> {
        let body = self.body;
        let ty = match place {
            CounterStorage::Carried(held, _) => body.ty(held),
            CounterStorage::Element(load, ..) => body.ty(body[load].result(0)),
        };
        Some(Counter {
            op,
            condition: *body[op].operands.first()?,
            is_advanced_if,
            step,
            ty,
            zero: int_attr(self.ctx, ty, 0)?,
            place,
            repeated: Vec::new(),
            relies_on_arguments: false,
        })
    }
}

impl Counter {
    /// Converts the branch. Returns it as it is then, if it has anything left.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) -> Option<OpId> {
        match self.place {
            CounterStorage::Carried(held, result) => {
                let next = self.advance(&mut Builder::before(ctx, body, self.op), held);
                let old = body[self.op].result(result);
                body.replace_uses(old, next);
                let left = drop_result(ctx, body, self.op, result);
                erase_unused(body, left);
                let is_idle = body[left].num_results() == 0 && is_idle(body, left);
                if is_idle {
                    body.erase(left);
                }
                (!is_idle).then_some(left)
            }
            CounterStorage::Element(load, sum, store) => {
                body.detach(load);
                body.insert_before(self.op, load);
                let held = body[load].result(0);
                for &again in &self.repeated {
                    body.replace_uses(body[again].result(0), held);
                    body.erase(again);
                }
                let next = self.advance(&mut Builder::before(ctx, body, self.op), held);
                // Inside of the branch both sums have one value.
                body.replace_uses(body[sum].result(0), next);
                body.erase(sum);
                body.detach(store);
                body.insert_after(self.op, store);
                // An idle branch would hide from other passes that the load is only added to.
                let is_idle = is_idle(body, self.op);
                if is_idle {
                    body.erase(self.op);
                }
                (!is_idle).then_some(self.op)
            }
        }
    }

    /// Creates `held + select(condition, step, 0)`.
    fn advance(&self, b: &mut Builder, held: Value) -> Value {
        let step = match self.step {
            Step::Value(value) => value,
            Step::Constant(constant) => b.constant(constant, self.ty),
        };
        let zero = b.constant(self.zero, self.ty);
        let [yes, no] = match self.is_advanced_if {
            true => [step, zero],
            false => [zero, step],
        };
        let added = select(b, self.condition, yes, no);
        b.binary(arith::ADDI, held, added)
    }
}

/// Erases pure operations of a conditional whose results nothing uses.
pub(super) fn erase_unused(body: &mut Body, op: OpId) {
    for below in body.walk_op(op).into_iter().rev() {
        let data = &body[below];
        let is_pure = data.name.has(Traits::PURE) && !data.name.has(Traits::TERMINATOR);
        if below == op || !is_pure || !data.inline_regions().is_empty() {
            continue;
        }
        let uses = body.uses();
        if body[below].results().all(|value| uses.of(value).is_empty()) {
            body.erase(below);
        }
    }
}

/// Whether a conditional without results only has terminators.
fn is_idle(body: &Body, op: OpId) -> bool {
    let mut regions = body[op].inline_regions().iter();
    regions.all(|&region| {
        let mut blocks = body[region].blocks.iter();
        blocks.all(|&block| body.ops(block).count() <= 1)
    })
}

/// Rebuilds a conditional without one of its results, which is unused. Returns the new one.
fn drop_result(ctx: &Context, body: &mut Body, op: OpId, dropped: usize) -> OpId {
    let kept = |k: &usize| *k != dropped;
    let results: Vec<Value> = body[op].results().collect();
    let kept: Vec<usize> = (0..results.len()).filter(kept).collect();
    let types: Vec<Type> = kept.iter().map(|&k| body.ty(results[k])).collect();
    let blocks: Vec<BlockId> = [0, 1]
        .into_iter()
        .filter_map(|region| body.region_block(op, region))
        .collect();
    for &block in &blocks {
        if let Some(end) = body[block].last() {
            body[end].operands.remove(dropped);
        }
    }
    let is_idle = |block: BlockId| types.is_empty() && body.ops(block).count() == 1;
    let has_else = blocks.get(1).is_some_and(|&block| !is_idle(block));
    let new = with_results(ctx, body, op, &types, has_else);
    for (k, position) in kept.into_iter().enumerate() {
        let value = body[new.0].result(k);
        body.replace_uses(results[position], value);
    }
    body.erase(op);
    new.0
}
