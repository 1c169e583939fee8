//! `affine-simplify-structures`: simplifies maps and sets of affine operations by the ranges and
//! conditions around them.
//!
//! ```text
//! affine.for %i = 0 to 8 {                              affine.for %i = 0 to 8 {
//!   affine.store %x, %a[(%i * 32 + 5) mod 32]             affine.store %x, %a[5]
//!   affine.if (d0) : (d0 - 8 >= 0)(%i) { S } else { T }   T
//!   affine.if (d0)[s0] : (d0 >= 0, s0 - d0 >= 0)    ⇒     affine.if (d0)[s0] : (s0 - d0 >= 0)
//! ```
//!
//! The results of a map come in normal form, remainders and quotients that ranges decide are gone,
//! and each operand is there once, if it is used at all. A constraint of an `affine.if` goes where
//! those that stay, and the domain of the operation, imply it; a condition that is then always or
//! never true gives way to the branch that runs. Legal for a map whose dividends, and for a
//! constraint whose left side, fit 64 bits: others stay as they are. Whether a conjunction has a
//! point is decided by integer arithmetic within a budget; a constraint with an unknown answer
//! stays.

mod conditions;

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_dialects::inherent;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::op::{AffineMapAttr, Inherent};
use gridloom_ir::{AffineExpr, AffineMap, Body, Context, OpId};
use gridloom_rewrite::canonicalize::simplify_in_ranges;
use gridloom_rewrite::compose::Composed;
use gridloom_rewrite::normal::normal_form;

use super::joint_bounds::JointBounds;
use crate::analysis::values::AffineValues;
use crate::transform::emit_loops::MapWithOperands;

/// Simplifies the maps and sets of a body. Returns whether anything changed.
pub fn simplify_structures(ctx: &Context, body: &mut Body) -> bool {
    let mut values = AffineValues::new(ctx, body);
    let mut maps = Vec::new();
    for op in body.walk() {
        for place in places(ctx, body, op) {
            maps.extend(simpler_map(&mut values, op, place));
        }
    }
    let branches = conditions::plans(&mut values);
    for (op, place, form) in &maps {
        set_map(ctx, body, *op, place, form);
    }
    // Inner conditions first, since an outer one may remove them.
    for branch in branches.iter().rev() {
        branch.apply(ctx, body);
    }
    !maps.is_empty() || !branches.is_empty()
}

/// Position of a map: the attribute, and where its operands start.
#[derive(Clone)]
enum Place {
    Named {
        attr: Inherent<AffineMapAttr>,
        map: AffineMap,
        first: usize,
    },
    Lower(ForOp),
    Upper(ForOp),
}

/// The maps of an operation with operands of their own, the last first, so that the positions of
/// the others stay valid when operands change.
fn places(ctx: &Context, body: &Body, op: OpId) -> Vec<Place> {
    if let Some(l) = ForOp::cast(body, op) {
        return vec![Place::Upper(l), Place::Lower(l)];
    }
    const MAP: Option<Inherent<AffineMapAttr>> = Some(inherent::MAP);
    const TAG: Option<Inherent<AffineMapAttr>> = Some(inherent::TAG_MAP);
    let maps: &[Option<Inherent<AffineMapAttr>>] = match body[op].name {
        affine::APPLY | affine::MIN | affine::MAX => &[MAP],
        affine::LOAD | affine::VECTOR_LOAD | affine::PREFETCH => &[None, MAP],
        affine::STORE | affine::VECTOR_STORE => &[None, None, MAP],
        affine::PARALLEL => &[
            Some(inherent::LOWER_BOUNDS_MAP),
            Some(inherent::UPPER_BOUNDS_MAP),
        ],
        affine::DMA_START => &[
            None,
            Some(inherent::SRC_MAP),
            None,
            Some(inherent::DST_MAP),
            None,
            TAG,
        ],
        affine::DMA_WAIT => &[None, TAG],
        _ => return Vec::new(),
    };
    let (mut first, mut found) = (0, Vec::new());
    for &attr in maps {
        // `None` stands for an operand that belongs to no map.
        let Some(attr) = attr else {
            first += 1;
            continue;
        };
        let Some(map) = body[op].get(ctx, attr) else {
            break;
        };
        found.push(Place::Named { attr, map, first });
        first += map.num_inputs(ctx);
    }
    found.reverse();
    found
}

/// Simplifies a map; `None` if its form stays.
fn simpler_map(
    values: &mut AffineValues,
    op: OpId,
    place: Place,
) -> Option<(OpId, Place, MapWithOperands)> {
    let (ctx, body) = (values.ctx, values.body);
    let bound = match place {
        Place::Lower(l) => l.lower(ctx, body),
        Place::Upper(l) => l.upper(ctx, body),
        Place::Named { map, first, .. } => Bound {
            map,
            operands: body[op].operands.get(first..first + map.num_inputs(ctx))?,
        },
    };
    // The quotient of a sum that wraps around is not the sum of quotients.
    let exact = values.map_exprs(op, bound.map, bound.operands);
    let joint = JointBounds::of(ctx, &[bound]);
    let results: Vec<AffineExpr> = (joint.exprs[0].iter().zip(exact))
        .map(|(&expr, exact)| match exact {
            Some(_) => simpler(ctx, body, &joint, expr),
            None => expr,
        })
        .collect();
    let form = joint.compact(ctx, &results);
    let is_same = form.0 == bound.map && form.1 == bound.operands;
    (!is_same).then_some((op, place, form))
}

/// Size limit of expressions, in nodes counted as a tree: simplification is recursive.
const MAX_SIZE: u32 = 400;

/// Simplifies an expression.
fn simpler(ctx: &Context, body: &Body, joint: &JointBounds, expr: AffineExpr) -> AffineExpr {
    if expr.tree_size(ctx) > MAX_SIZE {
        return expr;
    }
    let (dims, symbols) = joint.inputs();
    let mut composed = Composed {
        exprs: vec![normal_form(ctx, expr, dims.len(), symbols.len()).unwrap_or(expr)],
        dims: dims.to_vec(),
        symbols: symbols.to_vec(),
    };
    simplify_in_ranges(ctx, body, &mut composed);
    let simpler = composed.exprs[0];
    // Of two forms of equal weight, the original one stays.
    match weight(ctx, simpler) < weight(ctx, expr) {
        true => simpler,
        false => expr,
    }
}

/// Weight of an expression: its divisions, then its nodes.
fn weight(ctx: &Context, expr: AffineExpr) -> (u32, u32) {
    let (mut divisions, mut stack) = (0, vec![expr]);
    while let Some(expr) = stack.pop() {
        if let AffineExprKind::Binary(op, left, right) = expr.kind(ctx) {
            divisions += u32::from(!matches!(op, AffineOp::Add | AffineOp::Mul));
            stack.extend([left, right]);
        }
    }
    (divisions, expr.tree_size(ctx))
}

fn set_map(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
    place: &Place,
    (map, operands): &MapWithOperands,
) {
    let bound = Bound {
        map: *map,
        operands,
    };
    match *place {
        Place::Lower(l) => l.set_lower(ctx, body, bound),
        Place::Upper(l) => l.set_upper(ctx, body, bound),
        Place::Named {
            attr,
            map: old,
            first,
        } => {
            let behind = first + old.num_inputs(ctx);
            let all = &body[op].operands;
            let all = [&all[..first], operands, &all[behind..]].concat();
            body[op].operands = all.into_iter().collect();
            match body[op].name {
                // The maps of these operations are discardable attributes.
                affine::DMA_START | affine::DMA_WAIT => {
                    body[op].set_attribute(ctx, attr, ctx.map_attr(*map));
                }
                _ => body[op].set_property(ctx, attr, ctx.map_attr(*map)),
            }
        }
    }
}
