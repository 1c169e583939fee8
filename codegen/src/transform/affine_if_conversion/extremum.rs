//! Conditional extrema: branches that keep the better one of a candidate and a data-dependent
//! element.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::select;
use gridloom_dialects::{affine, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Builder, Context, OpId, Value};

use super::available_values::AvailableValues;
use super::{MAX_OPS, is_beside_others};
use crate::analysis::arg_reduction::compare_select::CompareSelect;
use crate::analysis::load_store::{is_load, is_store};
use crate::transform::affine_atomic_updates::is_chosen_by_data;
use crate::transform::element::Element;

/// Conditional extremum: a branch that yields, or stores, the better one of a candidate and an
/// element.
pub(super) struct Extremum {
    op: OpId,
    condition: Value,
    /// The selected values, where the condition holds and where it fails.
    arms: [Value; 2],
    /// The load of the element, where the branch stores to it.
    stored: Option<OpId>,
}

impl Extremum {
    /// Matches an `scf.if` that compares with a data-dependent element.
    pub(super) fn of(ctx: &Context, body: &Body, op: OpId) -> Option<Extremum> {
        let l = loop_around(body, op)?;
        let condition = *body[op].operands.first()?;
        let compare = body.defining_op(condition)?;
        let block = body[op].parent();
        // One operand of the comparison is a data-dependent element, loaded in front of the branch.
        let load = body[compare].operands.iter().find_map(|&value| {
            let load = body.defining_op(value)?;
            let is_here = body[load].name == memref::LOAD && body[load].parent() == block;
            let indices = body[load].operands.get(1..)?;
            let mut indices = indices.iter();
            let by_data = is_here && indices.any(|&index| is_chosen_by_data(body, l, index));
            by_data.then_some(load)
        })?;
        let search = Search {
            ctx,
            body,
            op,
            condition,
            load,
            element: Element::of(ctx, body, load)?,
            held: body[load].result(0),
        };
        match body[op].num_results() {
            0 => search.stored(),
            1 => search.given(),
            _ => None,
        }
    }

    /// Replaces the branch by a select.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let mut b = Builder::before(ctx, body, self.op);
        let [yes, no] = self.arms;
        let chosen = select(&mut b, self.condition, yes, no);
        match self.stored {
            Some(load) => {
                let load = memref::LoadOp(load);
                let (memref, indices) = (load.memref(b.body), load.indices(b.body).to_vec());
                memref::StoreOp::create(&mut b, chosen, memref, &indices);
            }
            None => {
                let result = body[self.op].result(0);
                body.replace_uses(result, chosen);
            }
        }
        body.erase(self.op);
    }
}

/// The sequential loop whose body contains an operation, perhaps under conditions; `None` if
/// iterations of a loop around may run in parallel.
fn loop_around(body: &Body, op: OpId) -> Option<ForOp> {
    let mut around = body.ancestors(op);
    let found = around.find(|&op| !matches!(body[op].name, scf::IF | affine::IF))?;
    ForOp::cast(body, found).filter(|_| !is_beside_others(body, op))
}

struct Search<'a> {
    ctx: &'a Context,
    body: &'a Body,
    op: OpId,
    condition: Value,
    load: OpId,
    element: Element,
    held: Value,
}

impl Search<'_> {
    /// Matches a branch that only stores the candidate.
    fn stored(&self) -> Option<Extremum> {
        let body = self.body;
        let blocks = [0, 1].map(|region| body.region_block(self.op, region));
        let is_empty = |block: Option<BlockId>| {
            block.is_none_or(|block| body.ops(block).all(|op| body[op].name == scf::YIELD))
        };
        let is_taken_if = match blocks.map(is_empty) {
            [false, true] => true,
            [true, false] => false,
            _ => return None,
        };
        let mut known = self.known()?;
        let (mut store, mut value) = (None, None);
        for op in body.ops(blocks[usize::from(!is_taken_if)]?) {
            match body[op].name {
                scf::YIELD => break,
                _ if store.is_some() => return None,
                _ if is_store(body, op) => {
                    (known.element(op)? == self.element).then_some(())?;
                    value = Some(known.resolve(body[op].operands[0]));
                    store = Some(op);
                }
                _ => self.pass_over(&mut known, op)?,
            }
        }
        let kept = CompareSelect::by(self.ctx, body, self.condition, self.held, is_taken_if)?;
        let arms = match is_taken_if {
            true => [kept.candidate, self.held],
            false => [self.held, kept.candidate],
        };
        (value == Some(kept.candidate)).then_some(Extremum {
            op: self.op,
            condition: self.condition,
            arms,
            stored: Some(self.load),
        })
    }

    /// Matches a branch that yields the candidate or the element.
    fn given(&self) -> Option<Extremum> {
        let body = self.body;
        let mut arms = [self.held; 2];
        for (region, arm) in arms.iter_mut().enumerate() {
            let mut known = self.known()?;
            for op in body.ops(body.region_block(self.op, region)?) {
                match body[op].name {
                    scf::YIELD => *arm = known.resolve(*body[op].operands.first()?),
                    _ => self.pass_over(&mut known, op)?,
                }
            }
        }
        let is_taken_if = arms[1] == self.held;
        let kept = CompareSelect::by(self.ctx, body, self.condition, self.held, is_taken_if)?;
        let chosen = arms[usize::from(!is_taken_if)];
        let other = arms[usize::from(is_taken_if)];
        (chosen == kept.candidate && other == self.held).then_some(Extremum {
            op: self.op,
            condition: self.condition,
            arms,
            stored: None,
        })
    }

    /// Returns the values known in front of the branch, if nothing has been written since the
    /// element was loaded.
    fn known(&self) -> Option<AvailableValues<'_>> {
        let (ctx, body) = (self.ctx, self.body);
        let short = [0, 1].into_iter().all(|region| {
            let block = body.region_block(self.op, region);
            block.is_none_or(|block| body.ops(block).count() <= MAX_OPS)
        });
        let known = short.then(|| AvailableValues::before(ctx, body, self.op))??;
        known.holds(&self.element, self.held).then_some(known)
    }

    /// Skips a load or pure operation of the branch, which goes away with it.
    fn pass_over(&self, known: &mut AvailableValues, op: OpId) -> Option<()> {
        let data = &self.body[op];
        let is_pure = data.inline_regions().is_empty() && data.name.has(Traits::PURE);
        (is_pure || is_load(self.body, op)).then_some(())?;
        known.same_as(op);
        Some(())
    }
}
