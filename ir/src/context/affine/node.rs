//! Expression nodes: interned expressions with their synthesized (bottom-up) properties.
//!
//! Parts are shared, so an expression is a graph that can have exponentially more paths than nodes.
//! A property that every expression needs is therefore computed once, when it is interned, from the
//! same properties of its operands.

use std::hash::{Hash, Hasher};

use hashbrown::Equivalent;

use super::{AffineExprKind, AffineOp};
use crate::context::Context;

/// An interned expression: its kind, by which it is found, and its properties.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExprNode {
    pub(crate) kind: AffineExprKind,
    /// See [`largest_known_divisor`](super::AffineExpr::largest_known_divisor).
    pub(crate) divisor: u64,
    /// See [`tree_size`](super::AffineExpr::tree_size).
    pub(crate) tree_size: u32,
    pub(crate) is_symbolic: bool,
    pub(crate) is_pure: bool,
}

impl ExprNode {
    /// Computes the properties of an expression whose operands are interned.
    pub(crate) fn new(ctx: &Context, kind: AffineExprKind) -> Self {
        let leaf = |divisor, is_symbolic| ExprNode {
            kind,
            divisor,
            tree_size: 1,
            is_symbolic,
            is_pure: true,
        };
        let (op, l, r) = match kind {
            AffineExprKind::Dim(_) => return leaf(1, false),
            AffineExprKind::Symbol(_) => return leaf(1, true),
            AffineExprKind::Constant(value) => return leaf(value.unsigned_abs(), true),
            AffineExprKind::Binary(op, l, r) => (op, *ctx.exprs.get(l.0), *ctx.exprs.get(r.0)),
        };
        let divisor = match op {
            AffineOp::Mul => l.divisor.checked_mul(r.divisor).unwrap_or(1),
            AffineOp::Add | AffineOp::Mod => gcd(l.divisor, r.divisor),
            AffineOp::FloorDiv | AffineOp::CeilDiv => 1,
        };
        let is_linear = op == AffineOp::Add || matches!(r.kind, AffineExprKind::Constant(_));
        ExprNode {
            kind,
            divisor,
            tree_size: l.tree_size.saturating_add(r.tree_size).saturating_add(1),
            is_symbolic: l.is_symbolic && r.is_symbolic,
            is_pure: is_linear && l.is_pure && r.is_pure,
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

// The properties follow from the kind, so the kind alone tells nodes apart.

impl PartialEq for ExprNode {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for ExprNode {}

impl Hash for ExprNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl Equivalent<ExprNode> for AffineExprKind {
    fn equivalent(&self, node: &ExprNode) -> bool {
        *self == node.kind
    }
}
