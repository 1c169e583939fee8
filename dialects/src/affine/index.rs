//! Index arithmetic: `affine.apply`, `affine.min`, `affine.max`, and the linearization and
//! delinearization of indices.

use crate::verified::{required_i64s, required_map};
use gridloom_ir::affine::{AffineExprKind, AffineMap};
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::fold::{Elements, FoldCx, FoldResult, Folded};
use gridloom_ir::op::OpName;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::verify::{Check, Checked};

use super::validity::{is_mere_dim, scope_of};

op_view! {
    /// `affine.apply`: the result of a map with one.
    ApplyOp = super::APPLY
}

op_view! {
    /// `affine.min`: the least result of a map.
    MinOp = super::MIN
}

op_view! {
    /// `affine.max`: the greatest result of a map.
    MaxOp = super::MAX
}

macro_rules! map_accessors {
    ($($view:ident = $name:expr;)*) => {$(
        impl $view {
            /// Applies `map` to `operands`.
            pub fn create(b: &mut Builder, map: AffineMap, operands: &[Value]) -> Value {
                create(b, $name, map, operands)
            }

            /// The map.
            pub fn map(self, ctx: &Context, body: &Body) -> AffineMap {
                required_map(ctx, &body[self.0], attr_names::MAP)
            }

            /// The operands of the map: dimensions, then symbols.
            pub fn operands(self, body: &Body) -> &[Value] {
                &body[self.0].operands
            }
        }
    )*};
}

map_accessors! {
    ApplyOp = super::APPLY;
    MinOp = super::MIN;
    MaxOp = super::MAX;
}

fn create(b: &mut Builder, name: OpName, map: AffineMap, operands: &[Value]) -> Value {
    let index = b.ctx.index_type();
    let state = b.state(name).operands(operands).results(&[index]).property(
        b.ctx,
        "map",
        b.ctx.map_attr(map),
    );
    let op = b.create(state);
    b.body[op].result(0)
}

/// Folds a map with constant operands, and a map whose only result is an operand ⇒ that operand.
pub(super) fn fold_mapped(cx: &FoldCx) -> Option<Folded> {
    let (ctx, data) = (cx.ctx, cx.data());
    let map = required_map(ctx, data, attr_names::MAP);
    let results = map.results(ctx);
    if let &[result] = results {
        let position = match result.kind(ctx) {
            AffineExprKind::Dim(i) => Some(i as usize),
            AffineExprKind::Symbol(i) => Some(map.num_dims(ctx) + i as usize),
            _ => None,
        };
        if let Some(position) = position {
            return cx.value(*data.operands.get(position)?);
        }
    }
    // An operand that no result mentions need not be constant.
    let constants: Option<Vec<i64>> = if results.iter().all(|r| r.as_constant(ctx).is_some()) {
        Some(vec![0; data.operands.len()])
    } else {
        data.operands.iter().map(|&value| cx.int(value)).collect()
    };
    let results = map.eval(ctx, &constants?)?.into_iter();
    let chosen = match data.name {
        super::MIN => results.min(),
        super::MAX => results.max(),
        _ => results.last(),
    };
    cx.splat(chosen? as u64)
}

/// Returns the sizes after the outermost, which delinearizing an index to `count` coordinates
/// divides by, if all are known.
fn inner_sizes(cx: &FoldCx, count: usize) -> Option<Vec<i64>> {
    let basis = required_i64s(cx.ctx, cx.data(), "static_basis");
    let inner = basis.get(basis.len().checked_sub(count.checked_sub(1)?)?..)?;
    let known = inner.iter().all(|&size| size != DYNAMIC && size > 0);
    known.then(|| inner.to_vec())
}

/// Folds `affine.delinearize_index` of a constant, and of an `affine.linearize_index` with the same
/// sizes ⇒ its indices.
pub(super) fn fold_delinearize(cx: &FoldCx) -> Option<Folded> {
    let (&index, dynamic) = cx.data().operands.split_first()?;
    let count = cx.data().num_results();
    if count == 1 {
        return cx.value(index);
    }
    if let Some(linear) = cx.maker(index, super::LINEARIZE_INDEX) {
        let parts = linear.operand_segment(cx.ctx, 0);
        let same = linear.attr(cx.ctx, "disjoint").is_some()
            && parts.len() == count
            && linear.operand_segment(cx.ctx, 1) == dynamic
            && linear.attr(cx.ctx, "static_basis") == cx.data().attr(cx.ctx, "static_basis");
        return same.then(|| parts.iter().map(|&part| FoldResult::Value(part)).collect());
    }
    let mut rest = cx.int(index)?;
    let mut parts = Vec::new();
    for size in inner_sizes(cx, count)?.into_iter().rev() {
        parts.push(rest.rem_euclid(size));
        rest = rest.div_euclid(size);
    }
    parts.push(rest);
    let constant =
        |part: i64| Elements::Splat(part as u64).into_result(cx.ctx, cx.ctx.index_type());
    parts.into_iter().rev().map(constant).collect()
}

/// Folds `affine.linearize_index` of constants, and of the results of an `affine.delinearize_index`
/// with the same sizes ⇒ its operand.
pub(super) fn fold_linearize(cx: &FoldCx) -> Option<Folded> {
    let parts = cx.data().operand_segment(cx.ctx, 0);
    let Some(&first) = parts.first() else {
        return cx.splat(0);
    };
    if parts.len() == 1 {
        return cx.value(first);
    }
    if let Some(apart) = cx.maker(first, super::DELINEARIZE_INDEX) {
        let same = apart.results().eq(parts.iter().copied())
            && apart.operands.get(1..) == Some(cx.data().operand_segment(cx.ctx, 1))
            && apart.attr(cx.ctx, "static_basis") == cx.data().attr(cx.ctx, "static_basis");
        return same.then(|| cx.value(*apart.operands.first()?))?;
    }
    let sizes = inner_sizes(cx, parts.len())?;
    let mut sum = cx.int(first)?;
    for (&part, size) in parts[1..].iter().zip(sizes) {
        // Wraps around, as addition of `index` does.
        sum = sum.wrapping_mul(size).wrapping_add(cx.int(part)?);
    }
    cx.splat(sum as u64)
}

fn verify_count(check: &Check, map: AffineMap) -> Checked {
    check.ensure(
        map.num_inputs(check.ctx()) == check.data().operands.len(),
        "operand count and affine map dimension and symbol count must match",
    )
}

pub(super) fn verify_apply(check: &Check) -> Checked {
    let ctx = check.ctx();
    let map = required_map(ctx, check.data(), attr_names::MAP);
    verify_count(check, map)?;
    check.ensure(
        map.results(ctx).len() == 1,
        "mapping must produce one value",
    )?;
    verify_symbols(check)
}

/// Checks the symbol operands of an `affine.apply`: a valid dimension that is no valid symbol is
/// refused. A value that is neither, such as a loaded one, is accepted in both places.
pub(super) fn verify_symbols(check: &Check) -> Checked {
    let (ctx, body) = (check.ctx(), check.body());
    let map = required_map(ctx, check.data(), attr_names::MAP);
    let symbols = &check.data().operands[map.num_dims(ctx)..];
    if symbols.is_empty() {
        return Ok(());
    }
    let Some(scope) = scope_of(body, check.op) else {
        return Ok(());
    };
    if !(symbols.iter()).any(|&symbol| is_mere_dim(ctx, body, symbol, scope)) {
        return Ok(());
    }
    let message = "dimensional operand cannot be used as a symbol";
    Err(Diagnostic::error(check.data().loc, message))
}

/// Checks an `affine.min` or `affine.max`.
pub(super) fn verify_extremum(check: &Check) -> Checked {
    let map = required_map(check.ctx(), check.data(), attr_names::MAP);
    verify_count(check, map)?;
    check.ensure(
        !map.results(check.ctx()).is_empty(),
        "affine map expect at least one result",
    )
}

/// Returns the basis of a linearization: its sizes, outermost first.
fn basis(check: &Check) -> Vec<i64> {
    required_i64s(check.ctx(), check.data(), "static_basis")
}

pub(super) fn verify_delinearize(check: &Check) -> Checked {
    let basis = basis(check);
    let dynamic = basis.iter().filter(|&&size| size == DYNAMIC).count();
    check.ensure(
        dynamic == check.data().operands.len() - 1,
        "mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- this can only happen due to an incorrect fold/rewrite",
    )?;
    let results = check.data().num_results();
    check.ensure(
        results == basis.len() || results == basis.len() + 1,
        "should return an index for each basis element and up to one extra index",
    )?;
    let positive = basis.iter().all(|&size| size == DYNAMIC || size > 0);
    check.ensure(positive, "no basis element may be statically non-positive")
}

pub(super) fn verify_linearize(check: &Check) -> Checked {
    let basis = basis(check).len();
    let indices = check.data().operand_segment(check.ctx(), 0).len();
    check.ensure(
        indices == basis || indices == basis + 1,
        "should be passed a basis element for each index except possibly the first",
    )?;
    let holes = required_i64s(check.ctx(), check.data(), "static_basis");
    let holes = holes.into_iter().filter(|&size| size == DYNAMIC).count();
    check.ensure(
        holes == check.data().operand_segment(check.ctx(), 1).len(),
        "mismatch between dynamic and static basis (kDynamic marker but no corresponding \
         dynamic basis entry) -- this can only happen due to an incorrect fold/rewrite",
    )
}
