//! Open sizes: ranges of affine expressions by numbers that the run knows.
//!
//! A range is that of each term by itself, and quotients count as exact: `(%n + 1) floordiv 16` as `%n / 16 + 1 / 16`.
//! Work is estimated by it, and nothing else.

use std::collections::HashMap;

use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Body, OpId, Value};

use crate::analysis::counter::{Counter, counters};
use crate::analysis::estimate::Estimate;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::values::{AffineValues, Atom};

/// Limit of the terms of an expression.
const MAX_TERMS: usize = 64;

/// Limit of the loops and conditions of a nest, since estimates are as long.
const MAX_REGIONS: usize = 128;

/// Limit of the loops around one whose range is asked for.
const MAX_DEPTH: usize = 32;

/// Limit of a number from inside of the loop that counts as bounded.
const MAX_SPREAD: i128 = 1 << 30;

/// Numbers that are known in front of a loop, and the ranges of the counters inside of it.
pub struct OpenSizes {
    root: OpId,
    /// Memo: the range of each atom; `None` for one without.
    ranges: HashMap<u32, Option<[Estimate; 2]>>,
    depth: usize,
}

impl OpenSizes {
    /// The numbers in front of a loop; `None` for one of very many loops and conditions.
    pub(super) fn in_front_of(body: &Body, root: OpId) -> Option<Self> {
        let all = body.walk_op(root).into_iter();
        let regions = all.filter(|&op| !body[op].inline_regions().is_empty());
        (regions.count() <= MAX_REGIONS).then(|| OpenSizes {
            root,
            ranges: HashMap::new(),
            depth: 0,
        })
    }

    /// The least and the greatest value of an expression in the loop; `None` where the numbers in front do not tell.
    pub(super) fn range(
        &mut self,
        values: &mut AffineValues,
        expr: AffineExpr,
    ) -> Option<[Estimate; 2]> {
        let (terms, constant) = linear(values, expr)?;
        let mut sum = constant.map(Estimate::Known);
        for (atom, factor) in terms {
            let mut ends = self.atom_range(values, atom)?;
            if factor < 0.0 {
                ends.reverse();
            }
            let ends = ends.map(|end| end * factor);
            let [least, most] = sum;
            let [l, m] = ends;
            sum = [least + l, most + m];
        }
        Some(sum)
    }

    fn atom_range(&mut self, values: &mut AffineValues, atom: u32) -> Option<[Estimate; 2]> {
        if let Some(known) = self.ranges.get(&atom) {
            return known.clone();
        }
        // A counter whose bounds lead back to it has no range.
        self.ranges.insert(atom, None);
        let found = self.new_range(values, atom);
        self.ranges.insert(atom, found.clone());
        found
    }

    fn new_range(&mut self, values: &mut AffineValues, number: u32) -> Option<[Estimate; 2]> {
        let atom = values.atom(number);
        let is_inside = values.block_is_inside(values.atom_block(atom), self.root);
        if !is_inside {
            let is_read = match atom {
                Atom::Value(value) => values.body.ty(value) == values.ctx.index_type(),
                Atom::Extent(..) => true,
                Atom::Fresh(_) | Atom::Touched(..) | Atom::Lane(..) => false,
            };
            return is_read.then(|| [Estimate::atom(atom), Estimate::atom(atom)]);
        }
        if let Atom::Value(value) = atom
            && let Some(counter) = counter_of(values, value)
        {
            if self.depth == MAX_DEPTH {
                return None;
            }
            self.depth += 1;
            let found = self.counter_range(values, counter);
            self.depth -= 1;
            return found;
        }
        let env = values.environment_at(self.root);
        let range = values.atom_interval(number, env);
        let is_bounded = range.most.checked_sub(range.least)? <= MAX_SPREAD;
        is_bounded.then(|| [range.least, range.most].map(|end| Estimate::Known(end as f64)))
    }

    /// The range of a counter: from the least lower bound to the greatest upper one.
    fn counter_range(
        &mut self,
        values: &mut AffineValues,
        counter: Counter,
    ) -> Option<[Estimate; 2]> {
        let (ctx, body) = (values.ctx, values.body);
        let (lower, upper) = (counter.lower(ctx, body), counter.upper(ctx, body));
        let lowers = values.map_exprs(counter.op, lower.map, lower.operands);
        let uppers = values.map_exprs(counter.op, upper.map, upper.operands);
        let lows = lowers.into_iter().flatten();
        let lows = lows.filter_map(|low| self.range(values, low));
        let least = lows.map(|[low, _]| low).reduce(Estimate::max)?;
        let highs = uppers.into_iter().flatten();
        let highs = highs.filter_map(|high| self.range(values, high));
        let most = highs.map(|[_, high]| high).reduce(Estimate::min)?;
        Some([least, most + -1.0])
    }
}

/// The counter that a value is.
fn counter_of(values: &AffineValues, value: Value) -> Option<Counter> {
    let body = values.body;
    let op = body.block_parent_op(body.value_block(value)?)?;
    let is_loop = is_affine_loop(body, op);
    let mut all = counters(body, op).filter(|_| is_loop);
    all.find(|counter| counter.induction_var(body) == value)
}

/// Factors of atoms, and the range of what is added to them.
type Linear = (Vec<(u32, f64)>, [f64; 2]);

/// An expression as factors of atoms; quotients count as exact.
fn linear(values: &AffineValues, expr: AffineExpr) -> Option<Linear> {
    let ctx = values.ctx;
    let mut terms: Vec<(u32, f64)> = Vec::new();
    let mut constant = [0.0, 0.0];
    let mut stack = vec![(expr, 1.0)];
    let mut visited = 0;
    while let Some((expr, factor)) = stack.pop() {
        visited += 1;
        if visited > MAX_TERMS {
            return None;
        }
        match expr.kind(ctx) {
            AffineExprKind::Constant(value) => {
                constant = constant.map(|end| end + factor * value as f64);
            }
            AffineExprKind::Dim(atom) => match terms.iter_mut().find(|(known, _)| *known == atom) {
                Some((_, known)) => *known += factor,
                None => terms.push((atom, factor)),
            },
            AffineExprKind::Symbol(_) => return None,
            AffineExprKind::Binary(AffineOp::Add, l, r) => stack.extend([(l, factor), (r, factor)]),
            AffineExprKind::Binary(op, l, r) => {
                let by = r.as_constant(ctx)? as f64;
                match op {
                    AffineOp::Mul => stack.push((l, factor * by)),
                    _ if by <= 0.0 => return None,
                    AffineOp::Mod => {
                        let end = factor * (by - 1.0);
                        constant[usize::from(end > 0.0)] += end;
                    }
                    _ => stack.push((l, factor / by)),
                }
            }
        }
    }
    // What cancels out may leave a rest of rounding.
    terms.retain(|&(_, factor)| factor.abs() > 1e-9);
    Some((terms, constant))
}
