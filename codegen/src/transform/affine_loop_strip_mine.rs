//! `affine-loop-strip-mine`: turns a loop whose counter is divided by constants into a nest.
//!
//! ```text
//! affine.for %t = 0 to 1200 {                    affine.for %i = 0 to 40 {
//!   %x = affine.load %a[%t floordiv 30]            affine.for %k = 0 to 30 {
//!   %s = affine.load %c[%t floordiv 30]     ⇒        %t = affine.apply (i, k) -> (i * 30 + k)
//!   … %x * %b[%t mod 30] added to %s …               …
//! ```
//!
//! Coalesced loops hide a band: of the matrix product in one loop no iteration is free, while in
//! the nest the loops of rows and columns are. The nest runs the same iterations in the same order,
//! so that no dependence matters; canonicalization then finds `(i * 30 + k) floordiv 30` to be `i`.
//!
//! A multiple of the counter counts as well: `(%t * 5) floordiv 32` advances by 5 every 32 iterations.
//!
//! A loop counts from 0 in steps of 1 to a constant and carries no values; the divisors of its
//! counter are multiples of each other and divide the trip count. Loops that are parallel as they
//! are stay, unless they hold a loop: what a band gains there is reuse between neighbours (output channels
//! of a grouped convolution share what their group reads, the two rows of an upsampled image a row), what
//! it costs otherwise is a row too short to be walked. A counter that no last subscript names walks no rows.

use std::collections::{BTreeSet, HashMap, HashSet};

use gridloom_dialects::affine::{ApplyOp, Bound, ForOp, yield_values};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, Module, OpId};

use super::elimination::gcd;
use super::plans::change_by_plans;
use crate::analysis::access::{Access, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::verdict;

/// Minimal extent of a loop made from one that is parallel already and walks rows.
const MIN_EXTENT: i64 = 8;

/// Strip-mines the loops that hide a band in the host functions of a module. Returns whether anything changed.
pub fn strip_mine_module(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        // The order of iterations stays, so no disjointness is relied on.
        |body, globals| (plan_body(ctx, body, globals), false),
        |(op, extents), body| {
            apply(ctx, body, *op, extents);
        },
    )
}

/// Plans the loops to strip-mine, innermost first, each with the extents of its nest, outermost
/// first.
fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Vec<(ForOp, Vec<i64>)> {
    let loops: Vec<ForOp> = (body.walk().into_iter().rev())
        .filter_map(|op| ForOp::cast(body, op))
        .filter(|l| trip_count(ctx, body, *l).is_some())
        .collect();
    if loops.is_empty() {
        return Vec::new();
    }
    let mut deps = Dependences::new(ctx, body, globals);
    let mut divisors: HashMap<AffineExpr, BTreeSet<i64>> = HashMap::new();
    let mut walked = HashSet::new();
    let mut accesses = Vec::new();
    for op in body.walk() {
        accesses_of(&mut deps.values, op, &mut accesses);
    }
    for (index, _) in accesses
        .iter()
        .flat_map(|access| access.guards.iter().flatten())
    {
        collect_divisors(ctx, *index, &mut divisors);
    }
    let last = |access: &Access| access.guards.as_ref()?.last().copied();
    for (index, _) in accesses.iter().filter_map(last) {
        index.fold_parts(ctx, &mut |kind, _| {
            if let AffineExprKind::Dim(number) = kind {
                walked.insert(ctx.affine_dim(number));
            }
        });
    }
    let mut plans = Vec::new();
    for l in loops {
        let counter = deps.values.expr(l.induction_var(body));
        let extents = (divisors.get(&counter))
            .zip(trip_count(ctx, body, l))
            .and_then(|(divisors, count)| extents_of(divisors, count));
        if let Some(extents) = extents
            && is_worth(&mut deps, l, &extents, walked.contains(&counter))
        {
            plans.push((l, extents));
        }
    }
    plans
}

/// The trip count of a loop that counts from 0 by 1 and carries no values, if it is constant.
fn trip_count(ctx: &Context, body: &Body, l: ForOp) -> Option<i64> {
    let is_plain = l.constant_lower(ctx, body) == Some(0)
        && l.step(ctx, body) == 1
        && body[l.0].num_results() == 0;
    l.constant_upper(ctx, body).filter(|_| is_plain)
}

/// Strip-mines a loop into a nest whose inner loops have these trip counts, outermost first.
/// Returns the loops of the nest.
///
/// # Errors
/// The reason why the loop cannot be strip-mined.
pub(super) fn strip_mine_loop(
    ctx: &Context,
    body: &mut Body,
    l: ForOp,
    sizes: &[i64],
) -> Result<Vec<ForOp>, String> {
    let Some(count) = trip_count(ctx, body, l) else {
        let why = "only loops from 0 to a constant in steps of 1, without iter_args, can be \
             strip-mined";
        return Err(why.to_owned());
    };
    let product = (sizes.iter()).try_fold(1i64, |product, &size| product.checked_mul(size));
    let strips = product.filter(|&size| size > 0 && size < count && count % size == 0);
    let Some(strips) = strips.map(|size| count / size) else {
        let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
        let sizes = sizes.join(" * ");
        return Err(format!(
            "{sizes} does not divide its {count} iterations into strips"
        ));
    };
    let extents: Vec<i64> = std::iter::once(strips)
        .chain(sizes.iter().copied())
        .collect();
    Ok(apply(ctx, body, l, &extents))
}

/// Part of an expression: an atom divided by a number, a multiple of an atom, a constant, or anything else.
#[derive(Clone, Copy)]
enum Part {
    Quotient(AffineExpr, i64),
    Multiple(AffineExpr, i64),
    Constant(i64),
    Other,
}

/// Collects the divisors of each atom of an expression. A remainder divides twice:
/// `(d floordiv a) mod b` is made of `d floordiv a` and `d floordiv (a * b)`.
fn collect_divisors(
    ctx: &Context,
    expr: AffineExpr,
    divisors: &mut HashMap<AffineExpr, BTreeSet<i64>>,
) {
    expr.fold_parts(ctx, &mut |kind, operands| match (kind, operands) {
        (AffineExprKind::Dim(number), _) => Part::Quotient(ctx.affine_dim(number), 1),
        (AffineExprKind::Constant(value), _) => Part::Constant(value),
        (
            AffineExprKind::Binary(op @ (AffineOp::FloorDiv | AffineOp::Mod), ..),
            Some((Part::Quotient(atom, by), Part::Constant(divisor))),
        ) => {
            let Some(product) = by.checked_mul(divisor).filter(|&product| product > by) else {
                return Part::Other;
            };
            let known = divisors.entry(atom).or_default();
            known.insert(product);
            match op {
                AffineOp::FloorDiv => Part::Quotient(atom, product),
                _ => Part::Other,
            }
        }
        (
            AffineExprKind::Binary(AffineOp::Mul, ..),
            Some((Part::Quotient(atom, 1), Part::Constant(factor))),
        ) if factor > 0 => Part::Multiple(atom, factor),
        (
            AffineExprKind::Binary(AffineOp::FloorDiv | AffineOp::Mod, ..),
            Some((Part::Multiple(atom, factor), Part::Constant(divisor))),
        ) if divisor > 0 => {
            // So many iterations advance the multiple by a multiple of the divisor.
            let common = gcd(factor.unsigned_abs(), divisor.unsigned_abs());
            let period = divisor / common.cast_signed();
            if period > 1 {
                divisors.entry(atom).or_default().insert(period);
            }
            Part::Other
        }
        _ => Part::Other,
    });
}

/// The extents of the nest that a loop of `count` iterations becomes, outermost first; `None`
/// where the divisors do not divide each other and the count.
fn extents_of(divisors: &BTreeSet<i64>, count: i64) -> Option<Vec<i64>> {
    let mut extents = Vec::new();
    let mut inner = 1;
    for &divisor in divisors.iter().filter(|&&divisor| divisor < count) {
        if divisor % inner != 0 {
            return None;
        }
        extents.push(divisor / inner);
        inner = divisor;
    }
    if extents.is_empty() || count % inner != 0 {
        return None;
    }
    extents.push(count / inner);
    extents.reverse();
    Some(extents)
}

/// Whether strip-mining a loop pays, as the module page says.
fn is_worth(deps: &mut Dependences, l: ForOp, extents: &[i64], walks_rows: bool) -> bool {
    let body = deps.values.body;
    let holds_loop =
        || (body.walk_op(l.0).into_iter().skip(1)).any(|op| ForOp::cast(body, op).is_some());
    let is_long = !walks_rows || extents.iter().all(|&extent| extent >= MIN_EXTENT);
    (is_long && holds_loop()) || !verdict(deps, l.0).is_parallel()
}

/// Replaces a loop by a nest; the counter becomes the sum of the new ones, each times the product
/// of the extents inside it. Returns the loops.
fn apply(ctx: &Context, body: &mut Body, old: ForOp, extents: &[i64]) -> Vec<ForOp> {
    let old_block = old.block(body);
    let statements: Vec<OpId> = body.ops(old_block).collect();
    let counter = old.induction_var(body);
    let mut b = Builder::before(ctx, body, old.0);
    b.loc = b.body[old.0].loc;
    let mut counters = Vec::new();
    let mut loops = Vec::new();
    let mut place = ctx.affine_const(0);
    for (depth, &extent) in extents.iter().enumerate() {
        let (lower, upper) = (Bound::constant(ctx, 0), Bound::constant(ctx, extent));
        let new = ForOp::create(&mut b, lower, upper, 1, &[]);
        let block = new.block(b.body);
        if depth + 1 < extents.len() {
            yield_values(&mut b, block, &[]);
        }
        b.set(InsertPoint::Start(block));
        place = ctx.affine_add(
            ctx.affine_mul(place, ctx.affine_const(extent)),
            ctx.affine_dim(depth as u32),
        );
        counters.push(new.induction_var(b.body));
        loops.push(new);
    }
    let map = ctx.affine_map(extents.len() as u32, 0, &[place]);
    let sum = ApplyOp::create(&mut b, map, &counters);
    for op in statements {
        b.body.detach(op);
        b.insert(op);
        b.body
            .replace_values_in(op, |v| if v == counter { sum } else { v });
    }
    body.erase(old.0);
    loops
}
