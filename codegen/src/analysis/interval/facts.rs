//! Facts: the bounds of atoms that hold at one place beyond those that hold
//! everywhere.
//!
//! In the body of a loop its upper bound exceeds the lower one, in the first
//! branch of an `scf.if` the comparisons with constants in its condition hold.
//! A block meets what it adds with the facts around it; they are kept by block.

use gridloom_dialects::arith::{self, CmpIPredicate};
use gridloom_dialects::{affine, scf};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{BlockId, OpId, RegionId, Value};

use super::{Interval, MAX_TRIPS};
use crate::analysis::counter::{Counter, counters};
use crate::analysis::values::AffineValues;

/// Facts of a place: bounds of atoms beyond those that hold everywhere, by number of the
/// atom. Places that know the same share a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Facts(pub(super) usize);

impl AffineValues<'_> {
    /// Facts that hold at an operation.
    pub fn facts_at(&mut self, op: OpId) -> Facts {
        let mut open = Vec::new();
        let mut at = self.body[op].parent();
        let mut facts = loop {
            let Some(block) = at else {
                break self.no_facts();
            };
            if let Some(&known) = self.intervals.of_blocks.get(&block) {
                break known;
            }
            open.push(block);
            let around = self.body.block_parent_op(block);
            at = around.and_then(|op| self.body[op].parent());
        };
        for block in open.into_iter().rev() {
            facts = self.facts_in(block, facts);
            self.intervals.of_blocks.insert(block, facts);
        }
        facts
    }

    fn no_facts(&mut self) -> Facts {
        if self.intervals.facts.is_empty() {
            self.intervals.facts.push(FxHashMap::default());
        }
        Facts(0)
    }

    /// The facts in a block, given those around the operation it belongs to.
    fn facts_in(&mut self, block: BlockId, around: Facts) -> Facts {
        let Some(op) = self.body.block_parent_op(block) else {
            return around;
        };
        let found = match self.body[op].name {
            affine::FOR | affine::PARALLEL => {
                let all = counters(self.body, op).collect::<Vec<_>>().into_iter();
                all.flat_map(|counter| self.facts_of_loop(counter, around))
                    .collect()
            }
            scf::IF if self.body.region_block(op, 0) == Some(block) => {
                self.facts_of_condition(self.body[op].operands[0])
            }
            _ => Vec::new(),
        };
        if found.is_empty() {
            return around;
        }
        let mut all = self.intervals.facts[around.0].clone();
        for (atom, interval) in found {
            let entry = all.entry(atom).or_insert(Interval::MACHINE);
            *entry = entry.meet(interval);
        }
        self.intervals.facts.push(all);
        Facts(self.intervals.facts.len() - 1)
    }

    /// Inside a loop from `lower` to the atom `%n`, this is above the lower
    /// bound, and by no more than the loop can run.
    fn facts_of_loop(&mut self, op: Counter, around: Facts) -> Vec<(u32, Interval)> {
        let upper = op.upper(self.ctx, self.body);
        let uppers = self.map_exprs_under(around, upper.map, upper.operands);
        let &[Some(upper)] = &uppers[..] else {
            return Vec::new();
        };
        let AffineExprKind::Dim(atom) = upper.kind(self.ctx) else {
            return Vec::new();
        };
        let lower = self.lower_interval(op, around);
        let way = MAX_TRIPS * i128::from(op.step(self.ctx, self.body));
        let interval = Interval {
            least: lower.least + 1,
            most: lower.most + way,
        };
        vec![(atom, interval.meet(Interval::MACHINE))]
    }

    /// Bounds that a true `i1` implies: comparisons of atoms with constants,
    /// all of which hold.
    fn facts_of_condition(&mut self, condition: Value) -> Vec<(u32, Interval)> {
        let mut found = Vec::new();
        let mut stack = vec![condition];
        while let Some(value) = stack.pop() {
            let Some(op) = self.body.defining_op(value) else {
                continue;
            };
            match self.body[op].name {
                arith::ANDI => stack.extend(self.body[op].operands.iter().copied()),
                arith::CMPI => found.extend(self.fact_of_comparison(op)),
                _ => {}
            }
        }
        found
    }

    /// Whether being in a region of an `scf.if` means no more than that some
    /// numbers are small, which says nothing of iterations.
    pub(in crate::analysis) fn is_range_test(&mut self, op: OpId, region: RegionId) -> bool {
        let is_then = self.body[op].inline_regions().first() == Some(&region);
        let mut stack: Vec<Value> = self.body[op]
            .operands
            .first()
            .copied()
            .into_iter()
            .collect();
        while let Some(value) = stack.pop() {
            let Some(op) = self.body.defining_op(value) else {
                return false;
            };
            match self.body[op].name {
                arith::ANDI => stack.extend(self.body[op].operands.iter().copied()),
                arith::CMPI if self.fact_of_comparison(op).is_some() => {}
                _ => return false,
            }
        }
        is_then
    }

    fn fact_of_comparison(&mut self, op: OpId) -> Option<(u32, Interval)> {
        let (ctx, body) = (self.ctx, self.body);
        let &[left, right] = &body[op].operands[..] else {
            return None;
        };
        if !body.ty(left).is_index(ctx) {
            return None;
        }
        let predicate = arith::CmpIOp(op).predicate(ctx, body);
        let (value, bound, turned) = match arith::constant_int(ctx, body, right) {
            Some(bound) => (left, bound, false),
            None => (right, arith::constant_int(ctx, body, left)?, true),
        };
        let bound = i128::from(bound);
        let mut interval = Interval::MACHINE;
        use CmpIPredicate::{Eq, Sge, Sgt, Sle, Slt};
        match (predicate, turned) {
            (Eq, _) => interval = Interval::point(bound),
            (Slt, false) | (Sgt, true) => interval.most = bound - 1,
            (Sle, false) | (Sge, true) => interval.most = bound,
            (Sgt, false) | (Slt, true) => interval.least = bound + 1,
            (Sge, false) | (Sle, true) => interval.least = bound,
            _ => return None,
        }
        match self.expr(value).kind(ctx) {
            AffineExprKind::Dim(atom) => Some((atom, interval)),
            _ => None,
        }
    }
}
