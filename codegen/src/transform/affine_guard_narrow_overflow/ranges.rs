//! Ranges of integers over all iterations of a nest, as numbers that the program computes before it.
//!
//! The range of a sum, product or quotient is made of the ends of its operands' ranges, as interval
//! arithmetic does it ([`ends`](super::ends)); that of a counter are its bounds, whose ranges are made of outer counters.

use std::collections::HashMap;

use gridloom_dialects::affine::Bound;
use gridloom_dialects::arith;
use gridloom_dialects::scf;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, OpId, OpName, Value};

use super::ends::{Definition, EndRange, Ends};
use crate::analysis::counter::counters;
use crate::analysis::interval::Interval;
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::raise_to_affine::casts::{Losses, Wide, range_of, widened};

/// Limit on the magnitude of 64-bit values from outside, which a test excludes beyond it: sums of few of them
/// fit 32 bits.
const LIMIT: i128 = 1 << 30;

/// Limit on the magnitude of numbers that the nest loads; with greater ones products would wrap around for
/// nearly all sizes.
const MAX_LOADED: i128 = 1 << 16;

/// Limit of a constant factor; a greater one is that of a hash.
const MAX_FACTOR: i64 = 1 << 16;

/// Depth limit of a chain of operations and bounds.
const MAX_DEPTH: usize = 40;

/// Ranges over all iterations of a nest, and the tests that they have to pass.
#[derive(Clone)]
pub(super) struct Ranges {
    root: OpId,
    pub(super) ends: Ends,
    /// Ranges of `index` atoms by their number.
    of_atoms: HashMap<u32, Option<EndRange>>,
}

impl Ranges {
    /// No ranges of a nest yet.
    pub(super) fn new(root: OpId) -> Self {
        Ranges {
            root,
            ends: Ends::default(),
            of_atoms: HashMap::new(),
        }
    }

    /// Adds the tests of widened integers; false, without any test, where one has no range or cannot pass its test.
    pub(super) fn add(&mut self, values: &mut AffineValues, integers: &[Wide]) -> bool {
        let mut next = self.clone();
        let mut all = integers.iter().map(|wide| next.of_wide(values, wide, 0));
        let is_found = all.all(|range| range.is_some());
        let is_added = is_found && !next.ends.are_too_many();
        if is_added {
            *self = next;
        }
        is_added
    }

    /// Has an integer from outside be at least 0, so that it is the same number if taken for unsigned. Returns
    /// whether it may be.
    pub(super) fn require_natural(&mut self, values: &mut AffineValues, value: Value) -> bool {
        let natural = Interval {
            least: 0,
            most: i64::MAX.into(),
        };
        let range = self.of_narrow(values, value);
        range.is_some_and(|range| self.ends.require(range, natural).is_some())
    }

    fn of_wide(
        &mut self,
        values: &mut AffineValues,
        wide: &Wide,
        depth: usize,
    ) -> Option<EndRange> {
        if depth > MAX_DEPTH || self.ends.are_too_many() {
            return None;
        }
        match wide {
            Wide::Constant(number) => self.ends.constant((*number).into()),
            Wide::Index(value) => self.of_index(values, *value, depth + 1),
            Wide::Cast(value) => self.of_narrow(values, *value),
            Wide::Tested(needed, wide) => {
                let range = self.of_wide(values, wide, depth + 1)?;
                self.ends.require(range, *needed)
            }
            Wide::Select(_, sides) => {
                let [yes, no] = &**sides;
                let yes = self.of_wide(values, yes, depth + 1)?;
                let no = self.of_wide(values, no, depth + 1)?;
                self.ends.hull(yes, no)
            }
            Wide::Op(name, sides) => {
                let [left, right] = &**sides;
                let is_hash = |wide: &Wide| matches!(wide, Wide::Constant(n) if n.unsigned_abs() > MAX_FACTOR.unsigned_abs());
                if *name == arith::MULI && sides.iter().any(is_hash) {
                    return None;
                }
                let l = self.of_wide(values, left, depth + 1)?;
                let r = self.of_wide(values, right, depth + 1)?;
                self.ends.of_op(*name, l, r)
            }
        }
    }

    /// The range of an integer in its own type: itself where it is from outside, else what is known of it.
    fn of_narrow(&mut self, values: &mut AffineValues, value: Value) -> Option<EndRange> {
        let known = values
            .integer_interval(value)
            .meet(range_of(values, value)?);
        if values.block_is_inside(values.body.value_block(value), self.root) {
            let is_small = known.least >= -MAX_LOADED && known.most <= MAX_LOADED;
            return is_small.then(|| self.ends.constants(known)).flatten();
        }
        self.outside(Definition::Narrow(value), known)
    }

    /// The range of a value from outside: itself, within the limit of such values.
    fn outside(&mut self, definition: Definition, known: Interval) -> Option<EndRange> {
        let end = self.ends.end(definition, known)?;
        let outside = EndRange {
            least: end,
            most: end,
        };
        let limits = Interval {
            least: -LIMIT,
            most: LIMIT,
        };
        let is_narrow = known.least >= i32::MIN.into() && known.most <= i32::MAX.into();
        match is_narrow {
            true => Some(outside),
            false => self.ends.require(outside, limits),
        }
    }

    fn of_index(
        &mut self,
        values: &mut AffineValues,
        value: Value,
        depth: usize,
    ) -> Option<EndRange> {
        let expr = values.expr(value);
        self.of_expr(values, expr, depth)
    }

    fn of_expr(
        &mut self,
        values: &mut AffineValues,
        expr: AffineExpr,
        depth: usize,
    ) -> Option<EndRange> {
        if depth > MAX_DEPTH || self.ends.are_too_many() {
            return None;
        }
        match expr.kind(values.ctx) {
            AffineExprKind::Constant(number) => self.ends.constant(number.into()),
            AffineExprKind::Dim(atom) => {
                if let Some(&known) = self.of_atoms.get(&atom) {
                    return known;
                }
                // A bound never depends on its own counter; a cycle through anything else has no range.
                self.of_atoms.insert(atom, None);
                let found = self.of_atom(values, values.atom(atom), depth + 1);
                self.of_atoms.insert(atom, found);
                found
            }
            AffineExprKind::Symbol(_) => None,
            AffineExprKind::Binary(op, left, right) => {
                let l = self.of_expr(values, left, depth + 1)?;
                let r = self.of_expr(values, right, depth + 1)?;
                match op {
                    AffineOp::Add => self.ends.sum(l, r),
                    AffineOp::Mul => self.ends.product(l, r),
                    AffineOp::Mod => {
                        let by = self.ends.interval(r.most);
                        self.ends.constants(Interval {
                            least: 0,
                            most: by.most - 1,
                        })
                    }
                    _ => self.ends.quotient(l, r),
                }
            }
        }
    }

    fn of_atom(&mut self, values: &mut AffineValues, atom: Atom, depth: usize) -> Option<EndRange> {
        let body = values.body;
        let env = values.environment_at(self.root);
        let number = values.atom_number(atom);
        if !values.block_is_inside(values.atom_block(atom), self.root) {
            atom.anchor()?;
            let known = values.atom_interval(number, env);
            return self.outside(Definition::Outside(atom), known);
        }
        let Atom::Value(value) = atom else {
            return None;
        };
        let Some(op) = body.defining_op(value) else {
            return self.of_counter(values, value, depth);
        };
        let computed = match (body[op].name, &body[op].operands[..]) {
            (arith::INDEX_CAST | arith::INDEX_CASTUI, &[source]) => {
                let (wide, _) = widened(values, source, 1, Losses::Tested)?;
                let range = self.of_wide(values, &wide, depth + 1)?;
                match body[op].name {
                    arith::INDEX_CAST => Some(range),
                    _ => self.ends.require(
                        range,
                        Interval {
                            least: 0,
                            most: i64::MAX.into(),
                        },
                    ),
                }
            }
            (name, &[l, r]) if matches!(name, arith::MULI | arith::MINSI | arith::MAXSI) => {
                let l = self.of_index(values, l, depth + 1)?;
                let r = self.of_index(values, r, depth + 1)?;
                self.ends.of_op(name, l, r)
            }
            _ => None,
        };
        computed.or_else(|| {
            let env = values.environment_at(op);
            let known = values.atom_interval(number, env);
            let is_small = known.least >= -MAX_LOADED && known.most <= MAX_LOADED;
            is_small.then(|| self.ends.constants(known)).flatten()
        })
    }

    /// The range of a counter of a loop in the nest: from its lower bound to what its upper bound excludes.
    fn of_counter(
        &mut self,
        values: &mut AffineValues,
        value: Value,
        depth: usize,
    ) -> Option<EndRange> {
        let (ctx, body) = (values.ctx, values.body);
        let op = body.block_parent_op(body.value_block(value)?)?;
        let (lower, upper) = match body[op].name {
            scf::FOR => {
                let of = scf::ForOp(op);
                if of.induction_var(body) != value || of.is_unsigned(ctx, body) {
                    return None;
                }
                (
                    self.of_index(values, of.lower(body), depth)?,
                    self.of_index(values, of.upper(body), depth)?,
                )
            }
            _ => {
                let counter = counters(body, op).find(|c| c.induction_var(body) == value)?;
                let (lower, upper) = (counter.lower(ctx, body), counter.upper(ctx, body));
                (
                    self.of_bound(values, op, lower, arith::MAXSI, depth)?,
                    self.of_bound(values, op, upper, arith::MINSI, depth)?,
                )
            }
        };
        let one = self.ends.constant(1)?;
        Some(EndRange {
            least: lower.least,
            most: self.ends.difference(upper, one)?.most,
        })
    }

    fn of_bound(
        &mut self,
        values: &mut AffineValues,
        op: OpId,
        bound: Bound,
        extremum: OpName,
        depth: usize,
    ) -> Option<EndRange> {
        let exprs = values.map_exprs(op, bound.map, bound.operands);
        let mut all: Option<EndRange> = None;
        for expr in exprs {
            let range = self.of_expr(values, expr?, depth)?;
            all = Some(match all {
                Some(all) => self.ends.extremum(extremum, all, range)?,
                None => range,
            });
        }
        all
    }
}
