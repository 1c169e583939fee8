//! Interval environments: the intervals of atoms that hold at one place of the program beyond those
//! that hold everywhere, as abstract interpretation has them.
//!
//! In the body of a loop its upper bound exceeds the lower one, in the first
//! branch of an `scf.if` the comparisons with constants in its condition hold.
//! The environment of a block is that around it, met with the intervals that the block adds;
//! environments are kept by block.

use gridloom_dialects::arith::{self, CmpIPredicate};
use gridloom_dialects::{affine, scf};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{BlockId, OpId, RegionId, Value};

use super::scalars::INDEX_WIDTH;
use super::{Interval, MAX_TRIPS};
use crate::analysis::counter::{Counter, counters};
use crate::analysis::forwarding::short_circuit;
use crate::analysis::values::{AffineValues, Atom};

/// Interval environment: the number of a table of intervals by atom, for one place of the program.
/// Places with the same intervals share a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Environment(pub(super) usize);

impl AffineValues<'_> {
    /// The environment at an operation.
    pub fn environment_at(&mut self, op: OpId) -> Environment {
        let mut open = Vec::new();
        let mut at = self.body[op].parent();
        let mut env = loop {
            let Some(block) = at else {
                break self.outermost_environment();
            };
            if let Some(&known) = self.intervals.of_blocks.get(&block) {
                break known;
            }
            open.push(block);
            let around = self.body.block_parent_op(block);
            at = around.and_then(|op| self.body[op].parent());
        };
        for block in open.into_iter().rev() {
            env = self.environment_in(block, env);
            self.intervals.of_blocks.insert(block, env);
        }
        env
    }

    fn outermost_environment(&mut self) -> Environment {
        if self.intervals.environments.is_empty() {
            self.intervals.environments.push(FxHashMap::default());
        }
        Environment(0)
    }

    /// The environment in a block, given the one around its parent operation.
    fn environment_in(&mut self, block: BlockId, around: Environment) -> Environment {
        let Some(op) = self.body.block_parent_op(block) else {
            return around;
        };
        let found = match self.body[op].name {
            affine::FOR | affine::PARALLEL => {
                let all = counters(self.body, op).collect::<Vec<_>>().into_iter();
                all.flat_map(|counter| self.bounds_in_loop(counter, around))
                    .collect()
            }
            scf::IF if self.body.region_block(op, 0) == Some(block) => {
                self.bounds_of_condition(self.body[op].operands[0])
            }
            scf::WHILE => self.bounds_in_while(scf::WhileOp(op), block),
            _ => Vec::new(),
        };
        if found.is_empty() {
            return around;
        }
        let mut all = self.intervals.environments[around.0].clone();
        for (atom, interval) in found {
            let entry = all.entry(atom).or_insert(Interval::MACHINE);
            *entry = entry.meet(interval);
        }
        self.intervals.environments.push(all);
        Environment(self.intervals.environments.len() - 1)
    }

    /// Bounds that a loop from `lower` to the atom `%n` implies in its body: `%n` exceeds the lower
    /// bound, by no more than the limit of trips.
    fn bounds_in_loop(&mut self, op: Counter, around: Environment) -> Vec<(u32, Interval)> {
        let upper = op.upper(self.ctx, self.body);
        let uppers = self.map_exprs_under(around, upper.map, upper.operands);
        let &[Some(upper)] = &uppers[..] else {
            return Vec::new();
        };
        let AffineExprKind::Dim(atom) = upper.kind(self.ctx) else {
            return Vec::new();
        };
        let lower = self.lower_interval(op, around);
        let distance = MAX_TRIPS * i128::from(op.step(self.ctx, self.body));
        let interval = Interval {
            least: lower.least + 1,
            most: lower.most + distance,
        };
        vec![(atom, interval.meet(Interval::MACHINE))]
    }

    /// Bounds that the condition of an `scf.while` implies in its second region, for the values
    /// that it compares and for the block arguments that get them.
    fn bounds_in_while(&mut self, op: scf::WhileOp, block: BlockId) -> Vec<(u32, Interval)> {
        let body = self.body;
        if block != op.after(body) {
            return Vec::new();
        }
        let (condition, passed) = op.condition(body);
        let mut found = self.bounds_of_condition(condition);
        for (&passed, &arg) in passed.iter().zip(&body[block].args) {
            let [passed, arg] = [passed, arg].map(|value| self.atom_number(Atom::Value(value)));
            let of_passed = found.iter().filter(|&&(atom, _)| atom == passed);
            let of_arg: Vec<(u32, Interval)> = of_passed.map(|&(_, i)| (arg, i)).collect();
            found.extend(of_arg);
        }
        found
    }

    /// Bounds that hold where an `i1` is true: a conjunction of comparisons of atoms with
    /// constants.
    pub(super) fn bounds_of_condition(&mut self, condition: Value) -> Vec<(u32, Interval)> {
        let mut found = Vec::new();
        let mut stack = vec![condition];
        while let Some(value) = stack.pop() {
            let Some(op) = self.body.defining_op(value) else {
                continue;
            };
            match self.body[op].name {
                arith::ANDI => stack.extend(self.body[op].operands.iter().copied()),
                arith::CMPI => found.extend(self.bound_of_comparison(op)),
                scf::IF => stack.extend(short_circuit(self.ctx, self.body, value, true)),
                _ => {}
            }
        }
        found
    }

    /// Whether a region of an `scf.if` runs exactly under comparisons with constants. Environments
    /// hold these already, so they restrict no iterations.
    pub(crate) fn is_range_test(&mut self, op: OpId, region: RegionId) -> bool {
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
                arith::CMPI if self.is_index_comparison(op) => {
                    if self.bound_of_comparison(op).is_none() {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        is_then
    }

    fn is_index_comparison(&self, op: OpId) -> bool {
        let left = self.body[op].operands.first();
        left.is_some_and(|&left| self.body.ty(left).is_index(self.ctx))
    }

    fn bound_of_comparison(&mut self, op: OpId) -> Option<(u32, Interval)> {
        let (ctx, body) = (self.ctx, self.body);
        let &[left, right] = &body[op].operands[..] else {
            return None;
        };
        let width = self.width_of(left)?;
        let predicate = arith::CmpIOp(op).predicate(ctx, body);
        let (value, bound, turned) = match arith::constant_int(ctx, body, right) {
            Some(bound) => (left, bound, false),
            None => (right, arith::constant_int(ctx, body, left)?, true),
        };
        // Constants of narrow types may be held as unsigned numbers.
        let unused = INDEX_WIDTH - width;
        let bound = i128::from(bound << unused >> unused);
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
