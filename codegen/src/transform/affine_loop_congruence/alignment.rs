//! Alignment: the rows of a nest that begin at residues of outer counters begin at one number.
//!
//! ```text
//! affine.for %i = 0 to n {                      affine.for %i = 0 to n {
//!   affine.for %j = L + %i mod 2 to U step 2      affine.for %k = L to U - 1 step 2 { S(%i, %k + %i mod 2) }
//!     S(%i, %j)                               ⇒ }
//! }                                             affine.for %i = 0 to n {
//!                                                 affine.for %k = L + 2 * T to U step 2
//!                                                   affine.if (%k + %i mod 2 < U) { S(%i, %k + %i mod 2) }
//!                                               }
//! ```
//!
//! The last nest has the iterations that only some rows have, behind the `T` that all of them have; there is none
//! where all rows are of one length. The bounds are a known number apart.
//!
//! Legal where the loops around are parallel, and this one too, and where no sum leaves 64 bits.

use gridloom_dialects::affine::{self, ApplyOp, ForOp, IfOp};
use gridloom_dialects::arith;
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, Body, Builder, Context, IrMapping, OpId, Value};

use super::{lower_of, remainder, sum, terms};
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::verdict;
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::affine_loop_hull::nest_beside_constants;
use crate::transform::emit_loops::{MapWithOperands, bound};

/// Plan of a nest with a loop whose rows are aligned.
pub(super) struct Alignment {
    root: ForOp,
    op: ForOp,
    /// The bounds of the iterations that every row has.
    whole: [MapWithOperands; 2],
    /// The old counter, in terms of the new one.
    counter: MapWithOperands,
    rest: Option<Rest>,
}

/// The iterations that only some rows have.
struct Rest {
    lower: MapWithOperands,
    /// An expression that is at least 0 where there is an iteration.
    test: MapWithOperands,
}

/// Plans the alignment of a loop in the parallel nest from `root` on.
pub(super) fn plan(deps: &mut Dependences, root: ForOp) -> Option<Alignment> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let nest = nest_beside_constants(body, root);
    let place = (1..nest.len()).find(|&k| has_residue(&mut deps.values, root, nest[k]))?;
    let op = nest[place];
    let mut around = nest[..=place].iter();
    if !around.all(|l| verdict(deps, l.0).is_parallel()) {
        return None;
    }
    let values = &mut deps.values;
    let lower = lower_of(values, op)?;
    let (residues, others) = residues(values, root, lower)?;
    let (least, spread) = reach(&residues)?;
    let base = ctx.affine_add(others, ctx.affine_const(least));
    let offset = sum(
        ctx,
        residues.iter().map(|&(factor, term, _)| (factor, term)),
    );
    let offset = ctx.affine_add(offset, ctx.affine_const(least.checked_neg()?));
    let counter = values.atom_expr(Atom::Value(op.induction_var(body)));
    let old = ctx.affine_add(counter, offset);
    let upper = upper_of(values, root, op)?;
    let step = op.step(ctx, body);
    let distance = values
        .linear(ctx.affine_sub(upper, base))
        .as_constant(ctx)?;
    let shorter = distance
        .checked_sub(spread)
        .filter(|&distance| distance > 0)?;
    // Iterations of a row over the whole distance, and over the shortest one.
    let [most, least] = [distance, shorter].map(|distance| (distance - 1) / step + 1);
    let is_even = most == least;
    if !is_even && least < MIN_TRIPS {
        return None;
    }
    let before = ctx.affine_add(upper, ctx.affine_const(spread.checked_neg()?));
    let next = ctx.affine_add(base, ctx.affine_const(least.checked_mul(step)?));
    let env = values.environment_at(op.0);
    let fits = [base, before, next].map(|expr| values.fits(expr, env));
    if fits.contains(&false) {
        return None;
    }
    let first = body[op.block(body)].first()?;
    let counter_map = values.map_at(first, &[old])?;
    let test = ctx.affine_sub(ctx.affine_add(upper, ctx.affine_const(-1)), old);
    let rest = match is_even {
        true => None,
        false => Some(Rest {
            lower: values.map_at(op.0, &[next])?,
            test: values.map_at(first, &[test])?,
        }),
    };
    let end = if is_even { upper } else { before };
    let whole = [values.map_at(op.0, &[base])?, values.map_at(op.0, &[end])?];
    Some(Alignment {
        root,
        op,
        whole,
        counter: counter_map,
        rest,
    })
}

/// Least iterations of rows of different lengths that are worth a second nest.
const MIN_TRIPS: i64 = 16;

/// Limit of the sum of residues, which the bounds are moved by.
const MAX_SPREAD: i64 = 1 << 16;

/// A term of a lower bound: its factor, the remainder, and the modulus.
type Residue = (i64, AffineExpr, i64);

/// The residues of counters of the nest in a lower bound, and the rest, which does not vary.
fn residues(
    values: &AffineValues,
    root: ForOp,
    lower: AffineExpr,
) -> Option<(Vec<Residue>, AffineExpr)> {
    let ctx = values.ctx;
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for (factor, term) in terms(ctx, lower)? {
        if values.is_invariant(term, root.0) {
            others.push((factor, term));
            continue;
        }
        let (_, modulus) = remainder(ctx, term)?;
        found.push((factor, term, modulus));
    }
    Some((found, sum(ctx, others.into_iter())))
}

/// The least value of a sum of residues, and the distance from there to the greatest one.
fn reach(residues: &[Residue]) -> Option<(i64, i64)> {
    let (mut least, mut spread) = (0i64, 0i64);
    for &(factor, _, modulus) in residues {
        let end = factor.checked_mul(modulus - 1)?;
        least = least.checked_add(end.min(0))?;
        spread = spread.checked_add(end.checked_abs()?)?;
    }
    (spread < MAX_SPREAD).then_some((least, spread))
}

fn has_residue(values: &mut AffineValues, root: ForOp, l: ForOp) -> bool {
    let is_strided = l.step(values.ctx, values.body) > 1;
    let lower = lower_of(values, l).filter(|_| is_strided);
    let found = lower.and_then(|lower| residues(values, root, lower));
    found.is_some_and(|(found, _)| !found.is_empty())
}

/// The upper bound of a loop, if it is one expression that does not vary in the nest.
fn upper_of(values: &mut AffineValues, root: ForOp, l: ForOp) -> Option<AffineExpr> {
    let bound = l.upper(values.ctx, values.body);
    let exprs = values.map_exprs(l.0, bound.map, bound.operands);
    match exprs[..] {
        [Some(expr)] if values.is_invariant(expr, root.0) => Some(expr),
        _ => None,
    }
}

impl Alignment {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let old = self.op.upper(ctx, body);
        let upper = (old.map, old.operands.to_vec());
        if let Some(rest) = &self.rest {
            let mut names = IrMapping::new();
            let copy = body.clone_op(self.root.0, &mut names);
            body.insert_after(self.root.0, copy);
            let counter = names.value(self.op.induction_var(body));
            let block = body.value_block(counter);
            let l = block.and_then(|block| ForOp::cast(body, body.block_parent_op(block)?));
            if let Some(l) = l {
                let own = |form: &MapWithOperands| {
                    let operands = form.1.iter().map(|&value| names.value(value));
                    (form.0, operands.collect::<Vec<Value>>())
                };
                let test = own(&rest.test);
                write(
                    ctx,
                    body,
                    l,
                    [own(&rest.lower), own(&upper)],
                    &own(&self.counter),
                );
                enclose(ctx, body, l, &test);
            }
        }
        let whole = self.whole.clone();
        write(ctx, body, self.op, whole, &self.counter);
    }
}

/// Gives a loop other bounds, and its statements the old counter.
fn write(
    ctx: &Context,
    body: &mut Body,
    l: ForOp,
    [lower, upper]: [MapWithOperands; 2],
    counter: &MapWithOperands,
) {
    let iv = l.induction_var(body);
    let Some(first) = body[l.block(body)].first() else {
        return;
    };
    let mut b = Builder::before(ctx, body, first);
    let old = ApplyOp::create(&mut b, counter.0, &counter.1);
    let apply = body.defining_op(old);
    let statements: Vec<OpId> = body
        .ops(l.block(body))
        .filter(|&op| Some(op) != apply)
        .collect();
    for statement in statements {
        body.replace_values_in(statement, |value| if value == iv { old } else { value });
    }
    l.set_lower(ctx, body, bound(&lower));
    l.set_upper(ctx, body, bound(&upper));
}

/// Has the statements of a loop run under a test.
fn enclose(ctx: &Context, body: &mut Body, l: ForOp, (map, operands): &MapWithOperands) {
    let block = l.block(body);
    let Some(end) = body[block].last() else {
        return;
    };
    let data = map.data(ctx);
    let constraints: Vec<AffineConstraint> = (map.results(ctx).iter())
        .map(|&expr| AffineConstraint { expr, is_eq: false })
        .collect();
    let set = ctx.integer_set(data.dims, data.symbols, &constraints);
    // The first statement is the old counter.
    let statements: Vec<OpId> = (body.ops(block).skip(1))
        .filter(|&op| body[op].name != arith::CONSTANT && !body[op].name.has(Traits::TERMINATOR))
        .collect();
    let mut b = Builder::before(ctx, body, end);
    let test = IfOp::create(&mut b, set, operands, &[], false);
    let inside = test.then_block(b.body);
    affine::yield_values(&mut b, inside, &[]);
    let Some(end) = body[inside].last() else {
        return;
    };
    for op in statements {
        body.detach(op);
        body.insert_before(end, op);
    }
}
