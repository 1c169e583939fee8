//! Conditions under which two places are one element: the pairs of coordinates that must be equal.

use gridloom_dialects::memref;
use gridloom_ir::AffineExpr;

use super::{Dependences, Doubt, Scope};
use crate::analysis::access::{CoordSpace, Place, linearise};
use crate::analysis::alias::{Alias, Root};

/// Condition under which two places are one element.
pub(super) enum CommonElement {
    Never,
    Unknown(Doubt),
    /// The places are one element where these pairs (first instance, second instance) are equal.
    Where(Vec<(AffineExpr, AffineExpr)>),
}

impl Dependences<'_> {
    /// The coordinate pairs that must be equal for the places to be one element.
    pub(super) fn common_coords(
        &self,
        scope: Scope,
        first: &Place,
        second: &Place,
    ) -> CommonElement {
        let (Some(a), Some(b)) = (root(first), root(second)) else {
            return CommonElement::Unknown(Doubt::Opaque);
        };
        let shares = |block| scope.shares(&self.values, block);
        match self.aliases.relate(a, b, &shares) {
            Alias::No => return CommonElement::Never,
            Alias::May => return CommonElement::Unknown(Doubt::Memory),
            Alias::Same => {}
        }
        if let Root::Value(value) = a {
            let block = self.values.body.value_block(value);
            if !shares(block) {
                // A buffer allocated inside the compared loop is fresh in each instance, so the two
                // never alias. A buffer that is selected there may be the same one.
                let body = self.values.body;
                let op = body.defining_op(value);
                let is_allocation =
                    op.is_some_and(|op| matches!(body[op].name, memref::ALLOC | memref::ALLOCA));
                let is_new = scope
                    .differing()
                    .is_some_and(|by| self.values.block_is_inside(block, by));
                return match is_allocation && is_new {
                    true => CommonElement::Never,
                    false => CommonElement::Unknown(Doubt::Memory),
                };
            }
        }
        self.equal_places(first, second)
    }

    fn equal_places(&self, first: &Place, second: &Place) -> CommonElement {
        let (
            Place::Element {
                root,
                space,
                coords,
            },
            Place::Element {
                space: other_space,
                coords: other_coords,
                ..
            },
        ) = (first, second)
        else {
            return CommonElement::Unknown(Doubt::Subscript);
        };
        if space == other_space {
            let pairs = coords.iter().zip(other_coords);
            if pairs
                .into_iter()
                .any(|(&a, &b)| self.are_distinct_constants(a, b))
            {
                return CommonElement::Never;
            }
            return match coords.len() == other_coords.len() {
                true => CommonElement::Where(
                    coords
                        .iter()
                        .copied()
                        .zip(other_coords.iter().copied())
                        .collect(),
                ),
                false => CommonElement::Unknown(Doubt::Subscript),
            };
        }
        let left = self.linear(*root, *space, coords);
        let right = self.linear(*root, *other_space, other_coords);
        match left.zip(right) {
            Some(pair) => CommonElement::Where(vec![pair]),
            None => CommonElement::Unknown(Doubt::Subscript),
        }
    }

    /// Fast path for different rows or fields: both coordinates are constants that differ.
    fn are_distinct_constants(&self, a: AffineExpr, b: AffineExpr) -> bool {
        let ctx = self.values.ctx;
        let pair = a.as_constant(ctx).zip(b.as_constant(ctx));
        pair.is_some_and(|(a, b)| a != b)
    }

    fn linear(&self, root: Root, space: CoordSpace, coords: &[AffineExpr]) -> Option<AffineExpr> {
        let (ctx, body) = (self.values.ctx, self.values.body);
        match (space, root) {
            (CoordSpace::Linear, _) => coords.first().copied(),
            (CoordSpace::Indices, Root::Value(value)) => {
                linearise(ctx, body.ty(value).memref(ctx)?, coords)
            }
            (CoordSpace::Indices, Root::Global(_)) | (CoordSpace::Reshaped(_), _) => None,
        }
    }
}

fn root(place: &Place) -> Option<Root> {
    match place {
        Place::Element { root, .. } | Place::Somewhere(root) => Some(*root),
        Place::Anything => None,
    }
}
