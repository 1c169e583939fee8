//! Frequent expressions, maps and map attributes: those that bounds and subscripts nearly always
//! are have fixed ids and cost no look-up.

use smallvec::SmallVec;

use super::{AffineExpr, AffineExprKind, AffineMap};
use crate::context::Context;
use crate::context::attr::{Attr, AttrKind};

/// The number of frequent dimensions, and of frequent symbols.
const POSITIONS: u32 = 8;

/// The number of frequent constants, from 0 on.
const CONSTANTS: u32 = 64;

/// Largest frequent identity map, in dimensions; they start at 1.
const IDENTITIES: u32 = 4;

/// The number of frequent maps.
const MAPS: u32 = CONSTANTS + 1 + IDENTITIES;

/// The number of frequent steps, from 0 on. Their attributes follow those of the maps.
const STEPS: u32 = 16;

/// The expressions that every context interns first, in this order.
pub(crate) fn expressions() -> impl Iterator<Item = AffineExprKind> {
    let dims = (0..POSITIONS).map(AffineExprKind::Dim);
    let symbols = (0..POSITIONS).map(AffineExprKind::Symbol);
    let constants = (0..CONSTANTS).map(|value| AffineExprKind::Constant(value.into()));
    dims.chain(symbols).chain(constants)
}

/// Interns the maps, and the attributes of the maps and steps, before any other.
pub(crate) fn intern_attrs(ctx: &Context) {
    let interned = |dims, symbols, results: &[AffineExpr]| {
        let map = ctx.affine_map(dims, symbols, results);
        ctx.intern_attr(AttrKind::Map(map));
    };
    for value in 0..CONSTANTS {
        interned(0, 0, &[ctx.affine_const(value.into())]);
    }
    interned(0, 1, &[ctx.affine_symbol(0)]);
    for dims in 1..=IDENTITIES {
        let results: SmallVec<[_; 4]> = (0..dims).map(|d| ctx.affine_dim(d)).collect();
        interned(dims, 0, &results);
    }
    for step in 0..STEPS {
        ctx.int_attr(ctx.index_type(), step.into());
    }
}

pub(super) fn dim(index: u32) -> Option<AffineExpr> {
    (index < POSITIONS).then_some(AffineExpr(index))
}

pub(super) fn symbol(index: u32) -> Option<AffineExpr> {
    (index < POSITIONS).then_some(AffineExpr(POSITIONS + index))
}

fn small(value: i64) -> Option<u32> {
    let value = u32::try_from(value).ok();
    value.filter(|&value| value < CONSTANTS)
}

pub(super) fn constant(value: i64) -> Option<AffineExpr> {
    small(value).map(|value| AffineExpr(2 * POSITIONS + value))
}

/// `() -> (value)`
pub(super) fn constant_map(value: i64) -> Option<AffineMap> {
    small(value).map(AffineMap)
}

/// `()[s0] -> (s0)`
pub(super) const SYMBOL_MAP: AffineMap = AffineMap(CONSTANTS);

pub(super) fn identity_map(dims: u32) -> Option<AffineMap> {
    (1..=IDENTITIES)
        .contains(&dims)
        .then_some(AffineMap(CONSTANTS + dims))
}

/// Returns the attribute of a frequent map.
pub(crate) fn map_attr(map: AffineMap) -> Option<Attr> {
    (map.0 < MAPS).then_some(Attr(map.0))
}

/// Returns the attribute of a frequent step.
pub(crate) fn step_attr(value: i64) -> Option<Attr> {
    let step = small(value).filter(|&step| step < STEPS);
    step.map(|step| Attr(MAPS + step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_that_interning_gives() {
        let ctx = crate::test_dialect::context();
        for value in [0, 1, 63, 64, -1] {
            let expr = ctx.affine_raw(AffineExprKind::Constant(value));
            assert_eq!(ctx.affine_const(value), expr);
            let map = ctx.affine_map(0, 0, &[expr]);
            assert_eq!(ctx.constant_map(value), map);
            assert_eq!(ctx.map_attr(map), ctx.intern_attr(AttrKind::Map(map)));
        }
        assert_eq!(
            ctx.symbol_map(),
            ctx.affine_map(0, 1, &[ctx.affine_symbol(0)])
        );
        for step in [-1, 0, 1, 15, 16] {
            let kind = ctx.int_attr(ctx.index_type(), step);
            assert_eq!(ctx.index_attr(step), kind);
            assert_eq!(kind.as_i64(&ctx), Some(step));
        }
        for dims in 0..6 {
            let results: Vec<_> = (0..dims).map(|d| ctx.affine_dim(d)).collect();
            let map = ctx.affine_map(dims, 0, &results);
            assert_eq!(ctx.identity_map(dims), map);
            assert_eq!(ctx.map_attr(map), ctx.intern_attr(AttrKind::Map(map)));
        }
    }
}
