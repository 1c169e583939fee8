//! Affine expressions, maps and integer sets.
//!
//! Expressions are interned and simplified as they are built, so that two
//! expressions built the same way from equal parts are the same id:
//! constants stand on the right of `+` and `*`, a symbolic factor stands on
//! the right, neighbouring constants are folded, and like terms of a sum are
//! merged. Folding that would overflow `i64` is left undone.
//!
//! Evaluation computes as the machine does: sums and products wrap around modulo 2^64 (two's
//! complement), and `floordiv`, `ceildiv` and `mod` apply to the wrapped value of their left
//! operand. Reasoning in unbounded integers, as simplification here and `mlir-opt` do, is right
//! where no part leaves the 64 bits.

pub(crate) mod frequent;
pub(crate) mod node;
mod simplify;

use std::collections::HashMap;

use hashbrown::Equivalent;
use smallvec::SmallVec;

use crate::context::Context;
use crate::context::types::DYNAMIC;

/// An interned affine expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AffineExpr(pub(crate) u32);

/// Contents of an [`AffineExpr`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AffineExprKind {
    /// `d0`
    Dim(u32),
    /// `s0`
    Symbol(u32),
    /// A constant.
    Constant(i64),
    /// An operation on two expressions.
    Binary(AffineOp, AffineExpr, AffineExpr),
}

/// The operations of affine expressions. The right operand of `Mul` is
/// symbolic or constant; divisions round as the LangRef says: `floordiv`
/// towards minus infinity, `ceildiv` towards plus infinity, `mod` is never
/// negative for a positive modulus.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // each variant is the operation of that name
pub enum AffineOp {
    Add,
    Mul,
    Mod,
    FloorDiv,
    CeilDiv,
}

/// An interned affine map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AffineMap(pub(crate) u32);

/// Contents of an [`AffineMap`]: `(d0, …)[s0, …] -> (results)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AffineMapData {
    /// Number of dimensions.
    pub dims: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// The results.
    pub results: Box<[AffineExpr]>,
}

/// An interned integer set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct IntegerSet(pub(crate) u32);

/// Contents of an [`IntegerSet`]: `(d0, …)[s0, …] : (constraints)`. The canonical empty set has the
/// single constraint `1 == 0`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerSetData {
    /// Number of dimensions.
    pub dims: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// The constraints, all of which hold.
    pub constraints: Box<[AffineConstraint]>,
}

/// `expr == 0` or `expr >= 0`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AffineConstraint {
    /// The left side.
    pub expr: AffineExpr,
    /// Equality if true, inequality if false.
    pub is_eq: bool,
}

/// Lookup key of a map or set that may not be interned yet: dimensions, symbols, and results or
/// constraints. Hashes as the interned item does, field by field.
#[derive(Hash)]
struct SpaceKey<'a, T>(u32, u32, &'a [T]);

impl Equivalent<AffineMapData> for SpaceKey<'_, AffineExpr> {
    fn equivalent(&self, map: &AffineMapData) -> bool {
        (self.0, self.1, self.2) == (map.dims, map.symbols, &*map.results)
    }
}

impl Equivalent<IntegerSetData> for SpaceKey<'_, AffineConstraint> {
    fn equivalent(&self, set: &IntegerSetData) -> bool {
        (self.0, self.1, self.2) == (set.dims, set.symbols, &*set.constraints)
    }
}

/// `a` floordiv `b`, `None` for `b <= 0` or overflow.
pub fn floor_div(a: i64, b: i64) -> Option<i64> {
    (b > 0).then(|| a.div_euclid(b))
}

/// `a` ceildiv `b`, `None` for `b <= 0` or overflow.
pub fn ceil_div(a: i64, b: i64) -> Option<i64> {
    let quotient = floor_div(a, b)?;
    if a.rem_euclid(b) == 0 {
        Some(quotient)
    } else {
        quotient.checked_add(1)
    }
}

impl AffineOp {
    /// The value on constants; `None` on overflow or a divisor that is not positive.
    pub fn fold(self, a: i64, b: i64) -> Option<i64> {
        match self {
            AffineOp::Add => a.checked_add(b),
            AffineOp::Mul => a.checked_mul(b),
            AffineOp::Mod => (b > 0).then(|| a.rem_euclid(b)),
            AffineOp::FloorDiv => floor_div(a, b),
            AffineOp::CeilDiv => ceil_div(a, b),
        }
    }

    /// The spelling in text.
    pub fn spelling(self) -> &'static str {
        match self {
            AffineOp::Add => "+",
            AffineOp::Mul => "*",
            AffineOp::Mod => "mod",
            AffineOp::FloorDiv => "floordiv",
            AffineOp::CeilDiv => "ceildiv",
        }
    }
}

impl Context {
    /// `d{index}`
    pub fn affine_dim(&self, index: u32) -> AffineExpr {
        frequent::dim(index).unwrap_or_else(|| self.affine_raw(AffineExprKind::Dim(index)))
    }

    /// `s{index}`
    pub fn affine_symbol(&self, index: u32) -> AffineExpr {
        frequent::symbol(index).unwrap_or_else(|| self.affine_raw(AffineExprKind::Symbol(index)))
    }

    /// A constant expression.
    pub fn affine_const(&self, value: i64) -> AffineExpr {
        let raw = || self.affine_raw(AffineExprKind::Constant(value));
        frequent::constant(value).unwrap_or_else(raw)
    }

    pub(crate) fn affine_raw(&self, kind: AffineExprKind) -> AffineExpr {
        AffineExpr(self.exprs.intern(&kind, || node::ExprNode::new(self, kind)))
    }

    /// `lhs op rhs`, simplified. The caller has checked that the result is
    /// affine (see [`AffineExpr::is_symbolic_or_constant`]).
    pub fn affine_binary(&self, op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        use AffineExprKind::Constant;
        if let (Constant(a), Constant(b)) = (lhs.kind(self), rhs.kind(self))
            && let Some(value) = op.fold(a, b)
        {
            return self.affine_const(value);
        }
        let simplified = match op {
            AffineOp::Add => self.simplify_add(lhs, rhs),
            AffineOp::Mul => self.simplify_mul(lhs, rhs),
            AffineOp::FloorDiv | AffineOp::CeilDiv => self.simplify_div(op, lhs, rhs),
            AffineOp::Mod => self.simplify_mod(lhs, rhs),
        };
        simplified.unwrap_or_else(|| self.affine_raw(AffineExprKind::Binary(op, lhs, rhs)))
    }

    /// `lhs + rhs`
    pub fn affine_add(&self, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        self.affine_binary(AffineOp::Add, lhs, rhs)
    }

    /// `lhs - rhs`, as `lhs + rhs * -1`.
    pub fn affine_sub(&self, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        let negated = self.affine_mul(rhs, self.affine_const(-1));
        self.affine_add(lhs, negated)
    }

    /// `lhs * rhs`
    pub fn affine_mul(&self, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        self.affine_binary(AffineOp::Mul, lhs, rhs)
    }

    /// Interns a map.
    pub fn affine_map(&self, dims: u32, symbols: u32, results: &[AffineExpr]) -> AffineMap {
        let key = SpaceKey(dims, symbols, results);
        AffineMap(self.maps.intern(&key, || AffineMapData {
            dims,
            symbols,
            results: results.into(),
        }))
    }

    /// `(d0, …, dn-1) -> (d0, …, dn-1)`
    pub fn identity_map(&self, dims: u32) -> AffineMap {
        if let Some(map) = frequent::identity_map(dims) {
            return map;
        }
        let results: SmallVec<[_; 8]> = (0..dims).map(|d| self.affine_dim(d)).collect();
        self.affine_map(dims, 0, &results)
    }

    /// `()[s0] -> (s0)`
    pub fn symbol_map(&self) -> AffineMap {
        frequent::SYMBOL_MAP
    }

    /// `() -> (value)`
    pub fn constant_map(&self, value: i64) -> AffineMap {
        let map = || self.affine_map(0, 0, &[self.affine_const(value)]);
        frequent::constant_map(value).unwrap_or_else(map)
    }

    /// Interns a set.
    pub fn integer_set(
        &self,
        dims: u32,
        symbols: u32,
        constraints: &[AffineConstraint],
    ) -> IntegerSet {
        let key = SpaceKey(dims, symbols, constraints);
        IntegerSet(self.sets.intern(&key, || IntegerSetData {
            dims,
            symbols,
            constraints: constraints.into(),
        }))
    }
}

impl AffineExpr {
    /// Returns the contents of this expression.
    pub fn kind(self, ctx: &Context) -> AffineExprKind {
        ctx.exprs.get(self.0).kind
    }

    /// Tree size: the number of nodes of the expression as a tree, where a shared node counts each
    /// time; `u32::MAX` stands for all larger numbers. Bounds the work of a walk without a cache.
    pub fn tree_size(self, ctx: &Context) -> u32 {
        ctx.exprs.get(self.0).tree_size
    }

    /// The value of a constant expression.
    pub fn as_constant(self, ctx: &Context) -> Option<i64> {
        match self.kind(ctx) {
            AffineExprKind::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the expression as the sum of another one and a constant, which stands last in simplified sums.
    pub fn split_constant(self, ctx: &Context) -> (AffineExpr, i64) {
        match self.kind(ctx) {
            AffineExprKind::Constant(value) => (ctx.affine_const(0), value),
            AffineExprKind::Binary(AffineOp::Add, rest, last) => match last.as_constant(ctx) {
                Some(value) => (rest, value),
                None => (self, 0),
            },
            _ => (self, 0),
        }
    }

    /// Whether no dimension occurs.
    pub fn is_symbolic_or_constant(self, ctx: &Context) -> bool {
        ctx.exprs.get(self.0).is_symbolic
    }

    /// Whether the expression is linear in its dimensions and symbols with
    /// constant factors, moduli and divisors (MLIR's "pure affine").
    pub fn is_pure_affine(self, ctx: &Context) -> bool {
        ctx.exprs.get(self.0).is_pure
    }

    /// Whether a quotient or remainder occurs in the expression whose divisor is meant.
    pub fn divides_by(self, ctx: &Context, is_meant: impl Fn(AffineExpr) -> bool) -> bool {
        self.fold_parts(ctx, &mut |kind, parts: Option<(bool, bool)>| {
            let below = parts.is_some_and(|(lhs, rhs)| lhs || rhs);
            below
                || match kind {
                    AffineExprKind::Binary(AffineOp::Add | AffineOp::Mul, ..) => false,
                    AffineExprKind::Binary(_, _, divisor) => is_meant(divisor),
                    _ => false,
                }
        })
    }

    /// A positive integer that divides every value of the expression: the greatest one that its
    /// form shows. The constant 0 gives 0: every modulus divides it.
    pub fn largest_known_divisor(self, ctx: &Context) -> u64 {
        ctx.exprs.get(self.0).divisor
    }

    /// The value for the given dimensions and symbols; `None` on overflow, a
    /// divisor that is not positive, or an index out of range.
    pub fn eval(self, ctx: &Context, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        self.fold_parts(ctx, &mut |part, operands| match (part, operands) {
            (AffineExprKind::Binary(op, ..), Some((l, r))) => op.fold(l?, r?),
            (AffineExprKind::Dim(i), _) => dims.get(i as usize).copied(),
            (AffineExprKind::Symbol(i), _) => symbols.get(i as usize).copied(),
            (AffineExprKind::Constant(value), _) => Some(value),
            (AffineExprKind::Binary(..), None) => None,
        })
    }

    /// The expression with dimensions and symbols replaced and simplified
    /// again. Indices past the slices stay as they are.
    pub fn replace(self, ctx: &Context, dims: &[AffineExpr], symbols: &[AffineExpr]) -> AffineExpr {
        self.fold_parts(ctx, &mut |part, operands| match (part, operands) {
            (AffineExprKind::Binary(op, ..), Some((l, r))) => ctx.affine_binary(op, l, r),
            (AffineExprKind::Dim(i), _) if (i as usize) < dims.len() => dims[i as usize],
            (AffineExprKind::Symbol(i), _) if (i as usize) < symbols.len() => symbols[i as usize],
            (kind, _) => ctx.affine_raw(kind),
        })
    }

    /// The expression with those dimensions replaced that `with` has an expression for, and
    /// simplified again.
    pub fn replace_dims(
        self,
        ctx: &Context,
        with: impl Fn(u32) -> Option<AffineExpr>,
    ) -> AffineExpr {
        self.fold_parts(ctx, &mut |part, operands| match (part, operands) {
            (AffineExprKind::Binary(op, ..), Some((l, r))) => ctx.affine_binary(op, l, r),
            (AffineExprKind::Dim(i), _) => with(i).unwrap_or_else(|| ctx.affine_raw(part)),
            (kind, _) => ctx.affine_raw(kind),
        })
    }

    /// Whether this expression uses a dimension.
    pub fn uses_dim(self, ctx: &Context, dim: u32) -> bool {
        self.fold_parts(ctx, &mut |part, operands| match (part, operands) {
            (_, Some((left, right))) => left || right,
            (AffineExprKind::Dim(d), None) => d == dim,
            _ => false,
        })
    }

    /// Computes a property of an expression bottom-up: `step` gets the contents of an expression
    /// and, for an operation, the results of both operands. Shared nodes are computed once.
    pub fn fold_parts<T: Copy>(
        self,
        ctx: &Context,
        step: &mut impl FnMut(AffineExprKind, Option<(T, T)>) -> T,
    ) -> T {
        match self.tree_size(ctx) {
            // Small trees: looking results up costs more than computing them twice.
            ..=SMALL_TREE => self.fold_tree(ctx, step),
            _ => self.fold_graph(ctx, step),
        }
    }

    fn fold_tree<T>(
        self,
        ctx: &Context,
        step: &mut impl FnMut(AffineExprKind, Option<(T, T)>) -> T,
    ) -> T {
        let kind = self.kind(ctx);
        let AffineExprKind::Binary(_, l, r) = kind else {
            return step(kind, None);
        };
        let operands = (l.fold_tree(ctx, step), r.fold_tree(ctx, step));
        step(kind, Some(operands))
    }

    /// Walks iteratively, since the input decides how deep an expression nests.
    fn fold_graph<T: Copy>(
        self,
        ctx: &Context,
        step: &mut impl FnMut(AffineExprKind, Option<(T, T)>) -> T,
    ) -> T {
        let mut done: HashMap<AffineExpr, T> = HashMap::new();
        let mut open = vec![self];
        loop {
            // The list is never empty here: the first entry leaves it last.
            let expr = open.last().copied().unwrap_or(self);
            let kind = expr.kind(ctx);
            let operands = match kind {
                AffineExprKind::Binary(_, l, r) => match (done.get(&l), done.get(&r)) {
                    (Some(&l), Some(&r)) => Some((l, r)),
                    (known, _) => {
                        open.push(if known.is_none() { l } else { r });
                        continue;
                    }
                },
                _ => None,
            };
            let result = step(kind, operands);
            if expr == self {
                return result;
            }
            done.insert(expr, result);
            open.pop();
        }
    }
}

/// Size limit of trees that are walked without a cache.
const SMALL_TREE: u32 = 64;

impl AffineMap {
    /// Returns the contents of this map.
    pub fn data(self, ctx: &Context) -> &AffineMapData {
        ctx.maps.get(self.0)
    }

    /// Number of dimensions.
    pub fn num_dims(self, ctx: &Context) -> usize {
        self.data(ctx).dims as usize
    }

    /// Number of symbols.
    pub fn num_symbols(self, ctx: &Context) -> usize {
        self.data(ctx).symbols as usize
    }

    /// Number of operands: dimensions, then symbols.
    pub fn num_inputs(self, ctx: &Context) -> usize {
        let data = self.data(ctx);
        data.dims as usize + data.symbols as usize
    }

    /// The results.
    pub fn results(self, ctx: &Context) -> &[AffineExpr] {
        &self.data(ctx).results
    }

    /// The constant of a map with one constant result.
    pub fn as_single_constant(self, ctx: &Context) -> Option<i64> {
        match self.results(ctx) {
            [result] => result.as_constant(ctx),
            _ => None,
        }
    }

    /// Whether this is `(d0, …) -> (d0, …)`, symbols or not.
    pub fn is_identity(self, ctx: &Context) -> bool {
        let data = self.data(ctx);
        data.results.len() == data.dims as usize
            && (data.results.iter().zip(0..)).all(|(r, i)| r.kind(ctx) == AffineExprKind::Dim(i))
    }

    /// The values of all results; `None` as for [`AffineExpr::eval`].
    /// `operands` are dimensions, then symbols.
    pub fn eval(self, ctx: &Context, operands: &[i64]) -> Option<Vec<i64>> {
        let (dims, symbols) = operands.split_at_checked(self.num_dims(ctx))?;
        self.results(ctx)
            .iter()
            .map(|r| r.eval(ctx, dims, symbols))
            .collect()
    }
}

impl IntegerSet {
    /// Returns the contents of this set.
    pub fn data(self, ctx: &Context) -> &IntegerSetData {
        ctx.sets.get(self.0)
    }

    /// Whether the point lies in the set; `None` as for [`AffineExpr::eval`].
    /// `operands` are dimensions, then symbols.
    pub fn contains(self, ctx: &Context, operands: &[i64]) -> Option<bool> {
        let data = self.data(ctx);
        let (dims, symbols) = operands.split_at_checked(data.dims as usize)?;
        for constraint in &data.constraints {
            let value = constraint.expr.eval(ctx, dims, symbols)?;
            if !(if constraint.is_eq {
                value == 0
            } else {
                value >= 0
            }) {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Whether an extent, stride or offset is known.
pub fn is_static(extent: i64) -> bool {
    extent != DYNAMIC
}
