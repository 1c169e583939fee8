//! Intervals of index expressions, and with them the proof that the machine's
//! 64 bits hold a value.
//!
//! Polyhedra reason in unbounded integers, the machine wraps around modulo 2^64. An expression
//! *fits* when interval arithmetic over what is known of its atoms puts it, and the left side of
//! every division in it, within 64 bits: then both mean the same. Sums and products that do not fit
//! are still congruent to what the machine computes, but a division of them means nothing.
//!
//! Known of an atom are the bounds of the loop whose counter it is, the width
//! it was cast from, the operation that made it, and what an `scf.if` around
//! the place in question compares it with. One assumption is made: no loop
//! runs more than [`MAX_TRIPS`] iterations, which would take days. So the
//! counter of a loop from 0 to an unknown `%n` stays far from the 64 bits'
//! ends, and so does `%n` within the loop.

use gridloom_dialects::affine;
use gridloom_dialects::{gpu, inherent, scf};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::{AffineExpr, BlockId, OpId, Value};

use super::counter::counters;
use super::values::{AffineValues, Atom};

pub(super) mod carried;
mod counters;
mod environment;
mod floats;
mod scalars;
mod scaled;

pub use environment::Environment;

pub use gridloom_rewrite::MAX_TRIPS;

/// Interval: the integers from `least` to `most`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The lower end.
    pub least: i128,
    /// The upper end.
    pub most: i128,
}

impl Interval {
    /// Range of 64-bit integers.
    pub const MACHINE: Self = Interval {
        least: i64::MIN as i128,
        most: i64::MAX as i128,
    };

    /// Interval of one integer.
    pub fn point(value: i128) -> Self {
        Interval {
            least: value,
            most: value,
        }
    }

    /// Whether this lies within the other.
    pub fn is_within(self, other: Self) -> bool {
        other.least <= self.least && self.most <= other.most
    }

    /// Intersection of two intervals, never empty: disjoint intervals belong to code that never runs.
    pub(crate) fn meet(self, other: Self) -> Self {
        let least = self.least.max(other.least);
        Interval {
            least,
            most: self.most.min(other.most).max(least),
        }
    }

    pub(crate) fn hull(self, other: Self) -> Self {
        Interval {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// Sum of two intervals; `None` where an end exceeds 128 bits.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        Some(Interval {
            least: self.least.checked_add(other.least)?,
            most: self.most.checked_add(other.most)?,
        })
    }

    pub(crate) fn times(self, other: Self) -> Option<Self> {
        let corners = [
            self.least.checked_mul(other.least)?,
            self.least.checked_mul(other.most)?,
            self.most.checked_mul(other.least)?,
            self.most.checked_mul(other.most)?,
        ];
        let first = Interval::point(corners[0]);
        Some((corners.iter()).fold(first, |all, &corner| all.hull(Interval::point(corner))))
    }

    fn divided(self, op: AffineOp, by: i128) -> Self {
        let (least, most) = (self.least.div_euclid(by), self.most.div_euclid(by));
        match op {
            AffineOp::Mod if least == most => Interval {
                least: self.least.rem_euclid(by),
                most: self.most.rem_euclid(by),
            },
            AffineOp::Mod => Interval {
                least: 0,
                most: by - 1,
            },
            AffineOp::CeilDiv => Interval {
                least: -(-self.least).div_euclid(by),
                most: -(-self.most).div_euclid(by),
            },
            _ => Interval { least, most },
        }
    }
}

/// Memo of intervals by atom, expression and float, each for the environment that it was computed in.
#[derive(Default)]
pub(super) struct Intervals {
    environments: Vec<FxHashMap<u32, Interval>>,
    of_blocks: FxHashMap<BlockId, Environment>,
    atoms: FxHashMap<(u32, Environment), Interval>,
    exprs: FxHashMap<(AffineExpr, Environment), Option<Interval>>,
    floats: FxHashMap<(Value, Environment), Option<floats::FloatInterval>>,
    /// Values whose interval is being computed, which depends on itself where a loop carries them.
    open: FxHashSet<Value>,
    /// Current depth of the chain of operations being followed.
    depth: usize,
    /// Bounds assumed of every atom defined outside of an operation.
    pub(super) assumed: Option<(OpId, Interval)>,
}

/// Size limit of the expression trees that are expanded into sums of terms.
const MAX_SUM: u32 = 256;

/// Depth limit of the chain of operations behind a value.
const MAX_LOOK: usize = 32;

impl AffineValues<'_> {
    /// Assumes bounds of all numbers defined outside of an operation, before the first query.
    pub fn assume_outside(&mut self, root: OpId, bounds: Interval) {
        self.intervals.assumed = Some((root, bounds));
    }

    /// Whether an expression, in unbounded integers, is what the machine
    /// computes.
    pub fn fits(&mut self, expr: AffineExpr, env: Environment) -> bool {
        let interval = self.interval(expr, env);
        interval.is_some_and(|interval| interval.is_within(Interval::MACHINE))
    }

    /// The interval of an expression in unbounded integers; `None` where it divides a number that
    /// may not fit.
    pub fn interval(&mut self, expr: AffineExpr, env: Environment) -> Option<Interval> {
        if let Some(&known) = self.intervals.exprs.get(&(expr, env)) {
            return known;
        }
        let ctx = self.ctx;
        let interval = match expr.tree_size(ctx) {
            ..=MAX_SUM => self.interval_of_sum(expr, env),
            _ => {
                let mut step = |part, operands: Option<(Option<Interval>, Option<Interval>)>| {
                    let operands = operands.and_then(|(l, r)| l.zip(r));
                    self.interval_of_part(part, operands, env)
                };
                expr.fold_parts(ctx, &mut step)
            }
        };
        self.intervals.exprs.insert((expr, env), interval);
        interval
    }

    /// Interval of a sum, after terms that cancel out.
    fn interval_of_sum(&mut self, expr: AffineExpr, env: Environment) -> Option<Interval> {
        let (terms, constant) = self.terms(expr)?;
        let mut sum = Interval::point(constant);
        for (term, factor) in terms {
            let interval = self.interval_of_term(term, env)?;
            sum = sum.plus(interval.times(Interval::point(factor))?)?;
        }
        Some(sum)
    }

    /// An expression as `Σ factor · term + constant`, each term once and none
    /// a sum.
    pub(crate) fn terms(&self, expr: AffineExpr) -> Option<(Vec<(AffineExpr, i128)>, i128)> {
        let ctx = self.ctx;
        if expr.tree_size(ctx) > MAX_SUM {
            return None;
        }
        let mut terms: Vec<(AffineExpr, i128)> = Vec::new();
        let mut constant = 0i128;
        let mut stack = vec![(expr, 1i128)];
        while let Some((expr, factor)) = stack.pop() {
            let product = match expr.kind(ctx) {
                AffineExprKind::Constant(value) => {
                    let value = i128::from(value).checked_mul(factor)?;
                    constant = constant.checked_add(value)?;
                    continue;
                }
                AffineExprKind::Binary(AffineOp::Add, l, r) => {
                    stack.extend([(l, factor), (r, factor)]);
                    continue;
                }
                // A constant factor stands on the right.
                AffineExprKind::Binary(AffineOp::Mul, l, r) => {
                    r.as_constant(ctx).map(|by| (l, i128::from(by)))
                }
                _ => None,
            };
            if let Some((rest, by)) = product {
                stack.push((rest, factor.checked_mul(by)?));
                continue;
            }
            match terms.iter_mut().find(|(term, _)| *term == expr) {
                Some((_, known)) => *known = known.checked_add(factor)?,
                None => terms.push((expr, factor)),
            }
        }
        terms.retain(|&(_, factor)| factor != 0);
        Some((terms, constant))
    }

    fn interval_of_term(&mut self, term: AffineExpr, env: Environment) -> Option<Interval> {
        let kind = term.kind(self.ctx);
        let operands = match kind {
            AffineExprKind::Binary(_, l, r) => {
                Some((self.interval(l, env)?, self.interval(r, env)?))
            }
            _ => None,
        };
        self.interval_of_part(kind, operands, env)
    }

    fn interval_of_part(
        &mut self,
        part: AffineExprKind,
        operands: Option<(Interval, Interval)>,
        env: Environment,
    ) -> Option<Interval> {
        match part {
            AffineExprKind::Constant(value) => Some(Interval::point(value.into())),
            AffineExprKind::Dim(atom) => Some(self.atom_interval(atom, env)),
            AffineExprKind::Symbol(_) => None,
            AffineExprKind::Binary(op, ..) => {
                let (l, r) = operands?;
                match op {
                    AffineOp::Add => l.plus(r),
                    AffineOp::Mul => l.times(r),
                    _ => {
                        let divides = r.least == r.most && r.least > 0;
                        let fits = l.is_within(Interval::MACHINE);
                        (divides && fits).then(|| l.divided(op, r.least))
                    }
                }
            }
        }
    }

    /// The interval of an atom.
    pub fn atom_interval(&mut self, atom: u32, env: Environment) -> Interval {
        if let Some(&known) = self.intervals.atoms.get(&(atom, env)) {
            return known;
        }
        // Outer loops first: the intervals of their counters bound the inner ones. A work list
        // replaces recursion, since the input chooses how deep loops nest.
        let mut open = vec![atom];
        let mut inner = self.atom_block(self.atom(atom));
        while let Some(block) = inner {
            let around = self.body.block_parent_op(block);
            let count = around.map_or(0, |op| self.counter_count(op));
            let (from, body) = (open.len(), self.body);
            for &argument in &body[block].args[..count.min(body[block].args.len())] {
                let counter = self.atom_number(Atom::Value(argument));
                if !self.intervals.atoms.contains_key(&(counter, env)) {
                    open.push(counter);
                }
            }
            if count > 0 && open.len() == from {
                break;
            }
            inner = around.and_then(|op| self.body[op].parent());
        }
        let mut interval = Interval::MACHINE;
        for atom in open.into_iter().rev() {
            interval = self.fresh_interval(atom, env);
            self.intervals.atoms.insert((atom, env), interval);
        }
        interval
    }

    /// Whether an atom is a number of type `index`, not an integer of a width.
    fn is_index(&self, atom: Atom) -> bool {
        match atom {
            Atom::Value(value) => self.body.ty(value).is_index(self.ctx),
            _ => true,
        }
    }

    /// Number of a loop's block arguments that are counters.
    fn counter_count(&self, op: OpId) -> usize {
        match self.body[op].name {
            scf::FOR => 1,
            _ => counters(self.body, op).count(),
        }
    }

    fn fresh_interval(&mut self, atom: u32, env: Environment) -> Interval {
        let what = self.atom(atom);
        let natural = match what {
            Atom::Value(value) => self.value_interval(value, env),
            Atom::Extent(..) => Interval {
                least: 0,
                ..Interval::MACHINE
            },
            Atom::Fresh(_) | Atom::Touched(..) => Interval::MACHINE,
            Atom::Lane(_, _, last) => Interval {
                least: 0,
                most: last.into(),
            },
        };
        let known = self.intervals.environments[env.0].get(&atom);
        let mut interval = natural.meet(known.copied().unwrap_or(Interval::MACHINE));
        if let Some((root, assumed)) = self.intervals.assumed
            && self.is_index(what)
            && !self.block_is_inside(self.atom_block(what), root)
        {
            interval = interval.meet(assumed);
        }
        interval
    }

    fn value_interval(&mut self, value: Value, env: Environment) -> Interval {
        if self.intervals.depth >= MAX_LOOK {
            return Interval::MACHINE;
        }
        self.intervals.depth += 1;
        let found = match self.body.defining_op(value) {
            Some(op) if carried::passes_on(self.body[op].name) => {
                self.forwarded_interval(value, env)
            }
            Some(op) => self.result_interval(op, env),
            None => {
                let counter = self.counter_interval(value, env);
                counter.or_else(|| self.forwarded_interval(value, env))
            }
        };
        self.intervals.depth -= 1;
        found
            .filter(|interval| interval.is_within(Interval::MACHINE))
            .unwrap_or(Interval::MACHINE)
    }

    /// The interval of an operand; `None` where the operand may not fit 64 bits.
    fn operand_interval(&mut self, op: OpId, index: usize, env: Environment) -> Option<Interval> {
        let &value = self.body[op].operands.get(index)?;
        let expr = self.expr(value);
        let interval = self.interval(expr, env)?;
        interval.is_within(Interval::MACHINE).then_some(interval)
    }

    fn result_interval(&mut self, op: OpId, env: Environment) -> Option<Interval> {
        match self.body[op].name {
            affine::MIN | affine::MAX => self.extremum_interval(op, env),
            gpu::THREAD_ID | gpu::BLOCK_ID | gpu::BLOCK_DIM | gpu::GRID_DIM => Some(Interval {
                least: 0,
                most: i32::MAX.into(),
            }),
            _ => self.computed_interval(op, env),
        }
    }

    fn extremum_interval(&mut self, op: OpId, env: Environment) -> Option<Interval> {
        let is_min = self.body[op].name == affine::MIN;
        let map = self.body[op].get(self.ctx, inherent::MAP)?;
        let results = self.map_exprs_under(env, map, &self.body[op].operands);
        let mut all: Option<Interval> = None;
        for result in results {
            let interval = self.interval(result?, env)?;
            if !interval.is_within(Interval::MACHINE) {
                return None;
            }
            all = Some(match all {
                None => interval,
                Some(all) if is_min => Interval {
                    least: all.least.min(interval.least),
                    most: all.most.min(interval.most),
                },
                Some(all) => Interval {
                    least: all.least.max(interval.least),
                    most: all.most.max(interval.most),
                },
            });
        }
        all
    }
}
