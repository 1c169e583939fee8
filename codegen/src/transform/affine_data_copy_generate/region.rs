//! Regions: the boxes of a memref that a loop touches.
//!
//! The box of a dimension starts at `first`, an expression over what is defined outside of the loop,
//! and has a constant extent. Both follow from the subscripts by putting the bounds of the loops inside
//! for their counters, from the innermost on:
//!
//! ```text
//! for %x = %i to %i + 4 { … %a[%x * 2 + 1] … }     first = %i * 2 + 1, extent = 7
//! ```
//!
//! Of several subscripts the box is the least that holds all, where their distances are constant. Where
//! nothing of that is known, the box is the whole dimension; of an open one only if the caller asks for it, and
//! then the first and the last index that are accessed may still be known ([`Side::range`]).

use gridloom_dialects::affine::{Access, ForOp};
use gridloom_dialects::vector::VectorShape;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, OpId, Value};
use gridloom_rewrite::normal::normal_form;

use crate::analysis::bounds::is_excluded;
use crate::analysis::budget::Work;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::domain::{domain, fitting};
use crate::analysis::system::{Combination, Instance};
use crate::analysis::values::{AffineValues, Atom};

/// Access of the buffered memref.
pub(in crate::transform) struct Touch {
    pub(super) op: OpId,
    pub(super) is_store: bool,
    /// The subscripts that fit 64 bits, as expressions; `None` for others.
    pub(super) exprs: Vec<Option<AffineExpr>>,
    /// Number of elements that the access covers along each dimension.
    pub(super) lanes: Vec<i64>,
}

impl Touch {
    pub(in crate::transform) fn of(values: &mut AffineValues, access: Access) -> Touch {
        let (ctx, body) = (values.ctx, values.body);
        let op = access.op;
        let exprs = values.map_exprs(op, access.map(ctx, body), access.operands(body));
        let env = values.environment_at(op);
        let exprs = fitting(values, &exprs, env);
        let value = match access.is_store {
            true => body[op].operands[0],
            false => body[op].result(0),
        };
        let element = body.ty(access.memref(body)).element(ctx);
        let vector =
            VectorShape::of(ctx, body.ty(value)).filter(|_| element != Some(body.ty(value)));
        let mut lanes = vec![1; exprs.len()];
        for (lane, &extent) in lanes
            .iter_mut()
            .rev()
            .zip(vector.iter().flat_map(|v| v.shape.iter().rev()))
        {
            *lane = extent;
        }
        Touch {
            op,
            is_store: access.is_store,
            exprs,
            lanes,
        }
    }
}

/// Box along one dimension: its first index and its extent.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Side {
    /// The first index.
    pub(super) first: AffineExpr,
    /// The number of indices; [`DYNAMIC`] for all of an open dimension.
    pub(in crate::transform) extent: i64,
    /// Whether the box is known to start inside the memref.
    pub(super) starts_inside: bool,
    /// Whether the box is known to end inside the memref.
    pub(super) ends_inside: bool,
    /// Of a whole dimension, the first and the last index that are accessed, where they are known.
    pub(in crate::transform) range: [Option<AffineExpr>; 2],
}

/// Boxes of dimensions whose accessed part has no constant extent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum OpenParts {
    /// The whole dimension if its extent is a constant; else there is no box.
    Refused,
    /// The whole dimension, with the range of indices that are accessed; also where the box is not known to be
    /// in the memref, so that an index out of range is out of that of the buffer.
    Ranges,
}

/// The box of a memref's elements that a loop accesses, or the reason why there is none.
pub(in crate::transform) fn region(
    values: &mut AffineValues,
    l: ForOp,
    memref: Value,
    touches: &[Touch],
    open: OpenParts,
    work: &mut Work,
) -> Result<Vec<Side>, &'static str> {
    let ty = values.body.ty(memref).memref(values.ctx);
    let shape = ty.ok_or("it has no rank")?.shape.to_vec();
    let mut sides = Vec::new();
    for (dim, &size) in shape.iter().enumerate() {
        let found = least_box(values, l, dim, touches);
        let zero = values.ctx.affine_const(0);
        let whole = |extent, range| Side {
            first: zero,
            extent,
            starts_inside: true,
            ends_inside: true,
            range,
        };
        let side = match found {
            Some((_, ..=0)) => return Err("the loop never accesses it"),
            Some((first, extent)) if size == DYNAMIC || extent < size => {
                let (starts_inside, ends_inside) =
                    is_inside(values, l, (first, extent), (memref, dim), work);
                let is_known = starts_inside && ends_inside;
                match open {
                    OpenParts::Ranges if !is_known => {
                        let offset = values.ctx.affine_const(extent - 1);
                        let last = values.ctx.affine_add(first, offset);
                        whole(size, [Some(first), Some(last)])
                    }
                    _ => Side {
                        first,
                        extent,
                        starts_inside,
                        ends_inside,
                        range: [None; 2],
                    },
                }
            }
            _ if size == 0 => return Err("it has no elements"),
            Some(_) => whole(size, [None; 2]),
            None if open == OpenParts::Ranges => {
                let range =
                    [false, true].map(|is_upper| common_end(values, l, dim, touches, is_upper));
                whole(size, range)
            }
            None if size == DYNAMIC => {
                return Err("the region that it accesses has no constant size");
            }
            None => whole(size, [None; 2]),
        };
        sides.push(side);
    }
    Ok(sides)
}

/// The first index and the extent of the smallest known box along a dimension.
fn least_box(
    values: &mut AffineValues,
    l: ForOp,
    dim: usize,
    touches: &[Touch],
) -> Option<(AffineExpr, i64)> {
    let mut ends = Vec::new();
    for touch in touches {
        let expr = touch.exprs[dim]?;
        let lows = extremes(values, l, touch.op, expr, false);
        let more = touch.lanes[dim].checked_sub(1)?;
        let highs: Vec<AffineExpr> = extremes(values, l, touch.op, expr, true)
            .into_iter()
            .map(|high| values.ctx.affine_add(high, values.ctx.affine_const(more)))
            .collect();
        ends.push((lows, highs));
    }
    let mut best: Option<(AffineExpr, i64)> = None;
    for &origin in &ends.first()?.0 {
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        let mut is_known = true;
        for (lows, highs) in &ends {
            let from = |ends: &[AffineExpr]| -> Vec<i64> {
                let offsets = ends.iter().map(|&end| distance(values, origin, end));
                offsets.into_iter().flatten().collect()
            };
            // All bounds hold, so the tightest one counts.
            match (from(lows).into_iter().max(), from(highs).into_iter().min()) {
                (Some(least), Some(most)) => (low, high) = (low.min(least), high.max(most)),
                _ => is_known = false,
            }
        }
        let extent = high
            .checked_sub(low)
            .and_then(|offset| offset.checked_add(1));
        let Some(extent) = extent.filter(|&extent| is_known && extent <= MAX_EXTENT) else {
            continue;
        };
        if best.is_none_or(|(_, known)| extent < known) {
            let first = values.ctx.affine_add(origin, values.ctx.affine_const(low));
            best = Some((simple(values, first), extent));
        }
    }
    let env = values.environment_at(l.0);
    best.filter(|&(first, _)| values.fits(first, env))
}

/// The least or the greatest index of a dimension that any of the accesses has, as one expression; [`None`] where
/// their ends are no constants apart.
fn common_end(
    values: &mut AffineValues,
    l: ForOp,
    dim: usize,
    touches: &[Touch],
    is_upper: bool,
) -> Option<AffineExpr> {
    let mut ends = Vec::new();
    for touch in touches {
        let expr = touch.exprs[dim]?;
        let more = touch.lanes[dim].checked_sub(1).filter(|_| is_upper);
        let more = values.ctx.affine_const(more.unwrap_or(0));
        let own = extremes(values, l, touch.op, expr, is_upper).into_iter();
        ends.push(
            own.map(|end| values.ctx.affine_add(end, more))
                .collect::<Vec<_>>(),
        );
    }
    let env = values.environment_at(l.0);
    for &origin in ends.first()? {
        let offsets: Option<Vec<i64>> = (ends.iter())
            .map(|ends| {
                let offsets = ends.iter().filter_map(|&end| distance(values, origin, end));
                // All ends of an access hold, so the tightest one counts.
                if is_upper {
                    offsets.min()
                } else {
                    offsets.max()
                }
            })
            .collect();
        let offset = match (offsets, is_upper) {
            (Some(offsets), true) => offsets.into_iter().max(),
            (Some(offsets), false) => offsets.into_iter().min(),
            (None, _) => None,
        };
        let Some(offset) = offset else { continue };
        let end = values
            .ctx
            .affine_add(origin, values.ctx.affine_const(offset));
        let end = simple(values, end);
        if values.fits(end, env) {
            return Some(end);
        }
    }
    None
}

/// `to - from`, if that is a constant.
pub(in crate::transform) fn distance(
    values: &AffineValues,
    from: AffineExpr,
    to: AffineExpr,
) -> Option<i64> {
    simple(values, values.ctx.affine_sub(to, from)).as_constant(values.ctx)
}

/// Simplifies an expression: terms that cancel out go.
fn simple(values: &AffineValues, expr: AffineExpr) -> AffineExpr {
    let count = atoms(values, expr)
        .into_iter()
        .max()
        .map_or(0, |most| most as usize + 1);
    match expr.tree_size(values.ctx) <= MAX_SIZE {
        true => normal_form(values.ctx, expr, count, 0).unwrap_or(expr),
        false => expr,
    }
}

pub(super) fn atoms(values: &AffineValues, expr: AffineExpr) -> Vec<u32> {
    let mut found = Vec::new();
    values.atoms_in(expr, &mut found);
    found
}

/// Size limit of expressions, in nodes counted as a tree; larger ones are not simplified.
const MAX_SIZE: u32 = 400;
/// Limit of a box's extent: longer are the ranges of sizes that are machine integers, from 32 bits and their quarters on,
/// which are no boxes.
const MAX_EXTENT: i64 = 1 << 28;
/// Limit of the bounds of a subscript that are tried.
const MAX_BOUNDS: usize = 8;

/// Lower or upper bounds of a subscript, as expressions over values from outside of a loop.
fn extremes(
    values: &mut AffineValues,
    l: ForOp,
    op: OpId,
    expr: AffineExpr,
    is_upper: bool,
) -> Vec<AffineExpr> {
    let mut done: Vec<AffineExpr> = Vec::new();
    let mut open = vec![expr];
    let mut steps = 0;
    while let Some(expr) = open.pop() {
        steps += 1;
        if steps > MAX_BOUNDS * MAX_BOUNDS || done.len() >= MAX_BOUNDS {
            break;
        }
        match innermost(values, l, expr) {
            Innermost::None => done.push(simple(values, expr)),
            Innermost::Unknown => {}
            Innermost::Counter(atom, counter) => {
                let Some(factor) = values.coefficient(expr, atom) else {
                    continue;
                };
                for bound in counter_bounds(values, counter, is_upper == (factor > 0)) {
                    let bounded = values.with_atoms(expr, &[(atom, bound)]);
                    open.push(simple(values, bounded));
                }
            }
        }
    }
    // Interval analysis may know the range where a quotient stops substitution.
    let env = values.environment_at(op);
    if let Some(range) = values.interval(expr, env) {
        let end = if is_upper { range.most } else { range.least };
        let is_small = |end: &i64| end.unsigned_abs() < MAX_EXTENT.unsigned_abs();
        let end = i64::try_from(end).ok().filter(is_small);
        done.extend(end.map(|end| values.ctx.affine_const(end)));
    }
    done
}

/// The innermost atom of an expression that varies in a loop.
pub(super) enum Innermost {
    None,
    /// An atom that is no counter.
    Unknown,
    Counter(u32, Counter),
}

pub(super) fn innermost(values: &AffineValues, l: ForOp, expr: AffineExpr) -> Innermost {
    let body = values.body;
    let mut deepest: Option<(usize, u32, Counter)> = None;
    for number in atoms(values, expr) {
        let atom = values.atom(number);
        let block = values.atom_block(atom);
        if !values.block_is_inside(block, l.0) {
            continue;
        }
        let owner = block.and_then(|block| body.block_parent_op(block));
        let counter = owner.and_then(|owner| {
            let is_this = |c: &Counter| Atom::Value(c.induction_var(body)) == atom;
            counters(body, owner).find(is_this)
        });
        let Some(counter) = counter else {
            return Innermost::Unknown;
        };
        let above = std::iter::successors(Some(counter.op), |&op| body.parent_op(op));
        let depth = above.count();
        if deepest.is_none_or(|(known, ..)| depth > known) {
            deepest = Some((depth, number, counter));
        }
    }
    match deepest {
        Some((_, atom, counter)) => Innermost::Counter(atom, counter),
        None => Innermost::None,
    }
}

/// Lower or upper bounds of a counter, as expressions over the operands of its bound map.
fn counter_bounds(values: &mut AffineValues, counter: Counter, is_upper: bool) -> Vec<AffineExpr> {
    let (ctx, body) = (values.ctx, values.body);
    let (lower, upper) = (counter.lower(ctx, body), counter.upper(ctx, body));
    let bound = if is_upper { upper } else { lower };
    let exprs = values.map_exprs(counter.op, bound.map, bound.operands);
    let env = values.environment_at(counter.op);
    let exprs = fitting(values, &exprs, env).into_iter().flatten();
    if !is_upper {
        return exprs.collect();
    }
    let step = counter.step(ctx, body);
    let start = match lower.map.results(ctx) {
        &[only] => only.as_constant(ctx),
        _ => None,
    };
    let last = |end: i64| match start {
        // The last iteration is the last step below the bound.
        Some(start) if start < end && step > 0 => (end - 1)
            .checked_sub(start)
            .map_or(end - 1, |offset| start + offset / step * step),
        _ => end.saturating_sub(1),
    };
    exprs
        .map(|end| match end.as_constant(ctx) {
            Some(end) => ctx.affine_const(last(end)),
            None => ctx.affine_add(end, ctx.affine_const(-1)),
        })
        .collect()
}

/// Whether a box is known to start and to end inside the memref in every execution of the loop.
fn is_inside(
    values: &mut AffineValues,
    l: ForOp,
    (first, extent): (AffineExpr, i64),
    (memref, dim): (Value, usize),
    work: &mut Work,
) -> (bool, bool) {
    let size = values.extent(memref, dim);
    let around = domain(values, l.0);
    let before = Combination::default()
        .plus(-1, first, Instance::First)
        .offset(-1);
    // The last index is not below the size: first + extent - 1 - size >= 0.
    let behind = Combination::of(first, Instance::First)
        .plus(-1, size, Instance::First)
        .offset(extent - 1);
    let mut never = |outside: &Combination| {
        let parts = around.disjuncts.iter();
        { parts }.all(|part| is_excluded(values, [part, &[]], outside.clone(), work).is_yes())
    };
    (never(&before), never(&behind))
}
