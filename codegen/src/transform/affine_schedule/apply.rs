//! Emission of the rescheduled nest: new loops, old counters as sums of the new ones, and the
//! statements.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, ApplyOp, ForOp, is_valid_dim, scope_of};
use gridloom_dialects::scf;
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::bounds::{Bounds, SAFE, bounds};
use super::{Nest, Refusal, Schedule};
use crate::analysis::dependence::Dependences;
use crate::analysis::interval::Interval;
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::affine_guard_overflow::{RangeTest, within};
use crate::transform::affine_parallelize::into_parallel;
use crate::transform::atom_value::atom_value;
use crate::transform::emit_loops::{MapWithOperands, bound};

/// Limit on values from outside that the new loops use; beyond it the old nest runs.
const LIMIT: i64 = 1 << 40;

/// Rescheduling plan: a nest and the loops that replace it.
pub struct Rescheduled {
    nest: Nest,
    bounds: Bounds,
    /// The old induction variables, as expressions over the new counters and values from outside.
    old: Vec<AffineExpr>,
    /// Number of loops after the outermost that are parallel.
    parallel: usize,
    /// The test under which the new loops run, where they need one.
    test: Option<RangeTest>,
}

impl Rescheduled {
    /// Finds the bounds of the new loops, and the old induction variables in terms of the new
    /// counters.
    pub(super) fn plan(
        deps: &mut Dependences,
        nest: Nest,
        schedule: &Schedule,
    ) -> Result<Self, Refusal> {
        let found = bounds(deps, &nest, schedule, within(LIMIT))?;
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let scope = scope_of(body, nest.root()).ok_or(Refusal::Operand)?;
        let is_operand = |atom: &Atom| match *atom {
            Atom::Value(value) => is_valid_dim(ctx, body, value, scope),
            Atom::Extent(memref, _) => {
                let block = body.value_block(memref);
                block.is_some_and(|block| body[block].parent() == Some(scope))
            }
            _ => false,
        };
        if !found.outside.iter().all(is_operand) {
            return Err(Refusal::Operand);
        }
        let old = old_counters(&mut deps.values, &nest, schedule, &found.outside)?;
        let is_safe = |counters: &Option<Vec<Interval>>| {
            let mut all = counters.iter().flatten();
            counters.is_some() && all.all(|counter| counter.is_within(SAFE))
        };
        let test = match (is_safe(&found.counters), is_safe(&found.limited)) {
            (true, _) => None,
            (false, true) => {
                let outside = found.outside.iter().copied();
                let test = RangeTest::new(&mut deps.values, nest.root(), outside, LIMIT);
                Some(test)
            }
            (false, false) => return Err(Refusal::Wraps),
        };
        Ok(Rescheduled {
            nest,
            bounds: found,
            old,
            parallel: schedule.parallel,
            test,
        })
    }

    /// The outermost loop of the nest to be replaced.
    pub fn root(&self) -> OpId {
        self.nest.root()
    }

    /// Replaces the nest. Returns the new sequential loops, outermost first.
    pub fn apply(&self, ctx: &Context, body: &mut Body) -> Vec<ForOp> {
        let root = self.root();
        let copy = self
            .test
            .as_ref()
            .map(|_| body.clone_op(root, &mut IrMapping::new()));
        let mut b = Builder::before(ctx, body, root);
        let outside: Vec<Value> = (self.bounds.outside.iter())
            .filter_map(|&atom| atom_value(&mut b, atom))
            .collect();
        let condition = self.test.as_ref().and_then(|test| test.condition(&mut b));
        if let Some(copy) = copy {
            match condition {
                Some(condition) => {
                    let guard = scf::IfOp::create(&mut b, condition, &[], true);
                    let blocks = [Some(guard.then_block(b.body)), guard.else_block(b.body)];
                    for block in blocks.into_iter().flatten() {
                        scf::yield_values(&mut b, block, &[]);
                    }
                    if let Some(block) = blocks[1] {
                        b.set(InsertPoint::Start(block));
                        b.insert(copy);
                    }
                    if let Some(block) = blocks[0] {
                        b.set(InsertPoint::Start(block));
                    }
                }
                None => {
                    b.insert(copy);
                    b.body.erase(copy);
                }
            }
        }
        let mut loops = self.build(&mut b, &outside);
        body.erase(root);
        let behind = loops.len().min(1);
        let parallel: Vec<ForOp> = loops
            .drain(behind..loops.len().min(behind + self.parallel))
            .collect();
        // Inner loops first, so that a loop is moved when it is complete.
        for &l in parallel.iter().rev() {
            into_parallel(ctx, body, l);
        }
        loops
    }

    fn build(&self, b: &mut Builder, outside: &[Value]) -> Vec<ForOp> {
        let ctx = b.ctx;
        let innermost = self.nest.loops[self.nest.loops.len() - 1].block(b.body);
        let statements: Vec<OpId> = (self.nest.before.iter().copied())
            .chain(b.body.ops(innermost))
            .collect();
        let depth = self.bounds.loops.len();
        let mut loops: Vec<ForOp> = Vec::new();
        // Columns: all new counters, then the values from outside.
        let mut columns: Vec<Option<Value>> = vec![None; depth];
        columns.extend(outside.iter().copied().map(Some));
        for (number, [lower, upper]) in self.bounds.loops.iter().enumerate() {
            let [lower, upper] = [lower, upper].map(|end| trimmed(ctx, end, &columns));
            let l = ForOp::create(b, bound(&lower), bound(&upper), 1, &[]);
            columns[number] = Some(l.induction_var(b.body));
            let block = l.block(b.body);
            if number + 1 < depth {
                affine::yield_values(b, block, &[]);
            }
            b.set(InsertPoint::Start(block));
            loops.push(l);
        }
        let mut replaced: HashMap<Value, Value> = HashMap::new();
        for (l, &expr) in self.nest.loops.iter().zip(&self.old) {
            let (map, operands) = trimmed(ctx, &[expr], &columns);
            let value = match operands[..] {
                [only] if matches!(expr.kind(ctx), AffineExprKind::Dim(_)) => only,
                _ => ApplyOp::create(b, map, &operands),
            };
            replaced.insert(l.induction_var(b.body), value);
        }
        for op in statements {
            b.body.detach(op);
            b.insert(op);
            b.body
                .replace_values_in(op, |v| replaced.get(&v).copied().unwrap_or(v));
        }
        loops
    }
}

/// A map of expressions over columns, with only the used columns as operands.
fn trimmed(ctx: &Context, exprs: &[AffineExpr], columns: &[Option<Value>]) -> MapWithOperands {
    let mut is_used = vec![false; columns.len()];
    for expr in exprs {
        expr.fold_parts(ctx, &mut |part, _| {
            if let AffineExprKind::Dim(column) = part
                && let Some(is_used) = is_used.get_mut(column as usize)
            {
                *is_used = true;
            }
        });
    }
    let mut names = vec![ctx.affine_const(0); columns.len()];
    let mut operands = Vec::new();
    let mut dims = 0;
    for ((name, value), is_used) in names.iter_mut().zip(columns).zip(is_used) {
        if let Some(value) = value.filter(|_| is_used) {
            *name = ctx.affine_dim(dims);
            dims += 1;
            operands.push(value);
        }
    }
    let exprs: Vec<AffineExpr> = exprs.iter().map(|e| e.replace(ctx, &names, &[])).collect();
    (ctx.affine_map(dims, 0, &exprs), operands)
}

/// The old induction variables over the columns of the new loops: `lower + step·x`, where `x`
/// is a row of the inverse times the new counters less their shifts.
fn old_counters(
    values: &mut AffineValues,
    nest: &Nest,
    schedule: &Schedule,
    outside: &[Atom],
) -> Result<Vec<AffineExpr>, Refusal> {
    let ctx = values.ctx;
    let depth = schedule.dimensions.len();
    // Expression of each atom over the columns.
    let mut meaning: HashMap<u32, AffineExpr> = HashMap::new();
    for (position, &atom) in outside.iter().enumerate() {
        let number = values.atom_number(atom);
        meaning.insert(number, ctx.affine_dim((depth + position) as u32));
    }
    let mut old = Vec::new();
    for (k, l) in nest.loops.iter().enumerate() {
        let mut sum = ctx.affine_const(0);
        for (&factor, &d) in schedule.inverse[k].iter().zip(&schedule.points) {
            let shift = ctx.affine_const(-schedule.dimensions[d].shift);
            let counter = ctx.affine_add(ctx.affine_dim(d as u32), shift);
            sum = ctx.affine_add(sum, ctx.affine_mul(counter, ctx.affine_const(factor)));
        }
        if let Some((lower, step)) = nest.strides[k] {
            let mut atoms = Vec::new();
            values.atoms_in(lower, &mut atoms);
            if !atoms.iter().all(|atom| meaning.contains_key(atom)) {
                return Err(Refusal::Operand);
            }
            let lower = lower.replace_dims(ctx, |atom| meaning.get(&atom).copied());
            sum = ctx.affine_add(lower, ctx.affine_mul(sum, ctx.affine_const(step)));
        }
        let iv = values.atom_number(Atom::Value(l.induction_var(values.body)));
        meaning.insert(iv, sum);
        old.push(sum);
    }
    Ok(old)
}
