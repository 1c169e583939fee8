//! Conditional updates in memory: turns an element that a branch combines with a value into a result
//! of the branch.
//!
//! ```text
//!                                            %s = affine.load %sum[0]
//! scf.if %c {                                %u = scf.if %c -> f32 {
//!   %x = memref.load %a[%k]                    %x = memref.load %a[%k]
//!   %s = affine.load %sum[0]           ⇒       %t = arith.addf %s, %x
//!   %t = arith.addf %s, %x                     scf.yield %t
//!   affine.store %t, %sum[0]                 } else { scf.yield %s }
//! }                                          affine.store %u, %sum[0]
//! ```
//!
//! An iteration that does not take the branch then stores what it has loaded, and `affine-scalrep` makes
//! the element a carried value, of which the loop is a reduction: a sum under a mask. The condition may
//! be any, and what the branch loads stays in it.
//!
//! Legal where the element is the same in all iterations, is there and holds something whether the
//! condition holds or not, and where nothing else in both arms of the branch touches it. Done where the branch combines
//! the element by an operation of reductions; of nested branches the inner one comes first.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::scf::{self, IfOp};
use gridloom_ir::{Body, Builder, Context, OpId, Type, Value};

use super::{Finder, is_beside_others};
use crate::analysis::alias::Globals;
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::reduction::combined_by;
use crate::transform::element::Element;
use crate::versions::Draft;

/// Conditional update of an element.
pub(super) struct Update {
    pub(super) op: OpId,
    pub(super) load: OpId,
    pub(super) store: OpId,
    /// Number of the region that stores.
    pub(super) region: usize,
    /// Whether the plan relies on disjoint arguments.
    pub(super) relies_on_arguments: bool,
}

impl Finder<'_> {
    /// Matches a branch that updates an element of all iterations, and plans its conversion.
    pub(super) fn update(&self, op: OpId, globals: &Globals) -> Option<Update> {
        let l = *self.loops_beyond_branches(op).first()?;
        (0..2).find_map(|region| self.update_in(op, region, l, globals))
    }

    /// Matches an update in a region of a branch.
    fn update_in(&self, op: OpId, region: usize, l: ForOp, globals: &Globals) -> Option<Update> {
        let (ctx, body) = (self.ctx, self.body);
        let block = body.region_block(op, region)?;
        body.ops(block)
            .filter(|&op| is_store(body, op))
            .find_map(|store| {
                let element = Element::of(ctx, body, store)?;
                let is_held = |&load: &OpId| {
                    is_load(body, load) && Element::of(ctx, body, load).as_ref() == Some(&element)
                };
                let mut before = body.ops(block).take_while(|&op| op != store);
                let load = before.find(is_held)?;
                let is_there = self.combines(body[store].operands[0], body[load].result(0))
                    && self.is_kept(l, &element)
                    && self.is_there(l, &element);
                let relies_on_arguments =
                    is_there.then(|| self.is_alone(op, &[load, store], l, globals))??;
                Some(Update {
                    op,
                    load,
                    store,
                    region,
                    relies_on_arguments,
                })
            })
    }

    /// The sequential loops around an operation with nothing but branches in between, innermost first;
    /// none if iterations of a loop around may run in parallel.
    pub(super) fn loops_beyond_branches(&self, op: OpId) -> Vec<ForOp> {
        let body = self.body;
        if is_beside_others(body, op) {
            return Vec::new();
        }
        let around = body.ancestors(op);
        let mut around = around.filter(|&op| body[op].name != scf::IF);
        std::iter::from_fn(|| ForOp::cast(body, around.next()?)).collect()
    }

    /// Whether a value is another one combined by operations of reductions, some of them under
    /// conditions.
    fn combines(&self, value: Value, held: Value) -> bool {
        let body = self.body;
        let Some(op) = body.defining_op(value) else {
            return false;
        };
        let data = &body[op];
        if data.name == scf::IF {
            let Some(at) = data.results().position(|result| result == value) else {
                return false;
            };
            return [0, 1].into_iter().all(|region| {
                let block = body.region_block(op, region);
                let end = block.and_then(|block| body[block].last());
                let given = end.and_then(|end| body[end].operands.get(at).copied());
                given.is_some_and(|given| given == held || self.combines(given, held))
            });
        }
        let mut operands = data.operands.iter().enumerate();
        operands.any(|(at, &operand)| {
            combined_by(self.ctx, data, at).is_some()
                && (operand == held || self.combines(operand, held))
        })
    }
}

impl Update {
    /// Converts the branch. Returns the one that takes its place.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) -> OpId {
        let results: Vec<Value> = body[self.op].results().collect();
        let (held, updated) = (body[self.load].result(0), body[self.store].operands[0]);
        let types: Vec<Type> = (results.iter().chain([&held]))
            .map(|&value| body.ty(value))
            .collect();
        body.detach(self.load);
        body.insert_before(self.op, self.load);
        body.detach(self.store);
        let has_other = body.region_block(self.op, 1).is_some();
        let new = with_results(ctx, body, self.op, &types, true);
        let ends = [0, 1].map(|region| {
            let block = body.region_block(new.0, region)?;
            body[block].last()
        });
        for (region, end) in ends.into_iter().enumerate() {
            let value = if region == self.region { updated } else { held };
            if let Some(end) = end {
                body[end].operands.push(value);
            }
        }
        if let Some(block) = new.else_block(body).filter(|_| !has_other) {
            scf::yield_values(&mut Builder::before(ctx, body, new.0), block, &[held]);
        }
        for (number, old) in results.iter().enumerate() {
            let value = body[new.0].result(number);
            body.replace_uses(*old, value);
        }
        let value = body[new.0].result(results.len());
        body.erase(self.op);
        body[self.store].operands[0] = value;
        body.insert_after(new.0, self.store);
        new.0
    }
}

/// Turns elements that branches combine, store or load into their results and operands. Returns whether that relies on
/// disjoint arguments, and whether there was one.
pub(super) fn results_of_branches(
    ctx: &Context,
    body: &mut Draft,
    globals: &Globals,
    has_arguments: bool,
) -> (bool, bool) {
    let (mut relied, mut changed) = (false, false);
    // Inner branches first.
    for op in body.walk().into_iter().rev() {
        let mut branch = op;
        while body[branch].name == scf::IF {
            let finder = Finder::new(ctx, body, has_arguments);
            if let Some(plan) = finder.update(branch, globals) {
                relied |= plan.relies_on_arguments;
                branch = plan.apply(ctx, body.edit());
            } else if let Some(plan) = finder.kept_store(branch, globals) {
                relied |= plan.relies_on_arguments;
                branch = plan.apply(ctx, body.edit());
            } else if let Some(plan) = finder.kept_load(branch, globals) {
                relied |= plan.relies_on_arguments;
                plan.apply(body.edit());
            } else {
                break;
            }
            changed = true;
        }
    }
    (relied, changed)
}

/// Makes a conditional with results of these types in front of another one, and moves the blocks of that
/// to it.
pub(in crate::transform) fn with_results(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
    types: &[Type],
    has_else: bool,
) -> IfOp {
    let blocks = [0, 1].map(|region| body.region_block(op, region));
    let condition = body[op].operands[0];
    let new = IfOp::create(
        &mut Builder::before(ctx, body, op),
        condition,
        types,
        has_else,
    );
    let spare = [Some(new.then_block(body)), new.else_block(body)];
    let regions = body[new.0].inline_regions().to_vec();
    for ((spare, block), region) in spare.into_iter().zip(blocks).zip(regions) {
        if let (Some(spare), Some(block)) = (spare, block) {
            body.remove_block(spare);
            body.move_block(block, region, 0);
        }
    }
    new
}
