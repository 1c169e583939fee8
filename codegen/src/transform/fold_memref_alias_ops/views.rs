//! Views: translates an index of a view to an index of its source.
//!
//! ```text
//! subview[i]             is   source[offset + stride * i]
//! expand_shape[i, j]     is   source[i * size_j + j]
//! collapse_shape[i]      is   source[i floordiv size_1, i mod size_1]
//! reinterpret_cast[i]    is   buffer[offset + stride * i]
//! ```

use gridloom_dialects::inherent;
use gridloom_dialects::memref::{self, Mixed, ReinterpretCastOp, SubViewOp};
use gridloom_dialects::vector::TransferParts;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, Body, Context, OpId, RegionId, Value};
use gridloom_rewrite::canonicalize::groups;

use super::subscripts::{Refusal, Subscripts};
use super::{Lanes, Site};
use crate::analysis::access::kept_dimensions;
use crate::analysis::interval::Interval;
use crate::analysis::values::AffineValues;

/// Whether an operation is a view whose accesses fold.
pub(super) fn is_foldable_view(body: &Body, op: OpId) -> bool {
    matches!(
        body[op].name,
        memref::SUBVIEW
            | memref::EXPAND_SHAPE
            | memref::COLLAPSE_SHAPE
            | memref::REINTERPRET_CAST
            | memref::CAST
    )
}

/// Rewrites subscripts of a view as subscripts of its source, or of the row of all its elements where
/// [`counts_elements`] says so.
pub(super) fn look_through(
    values: &mut AffineValues,
    site: &Site,
    scope: RegionId,
    view: OpId,
    subscripts: &mut Subscripts,
) -> Result<(), Refusal> {
    let (ctx, body) = (values.ctx, values.body);
    let source = body[view].operands[0];
    let at = At {
        ctx,
        body,
        scope,
        source,
    };
    if body[view].name == memref::CAST {
        return match body.ty(source).memref(ctx) {
            Some(_) => Ok(()),
            None => Err("its memref is cast from one without a rank".into()),
        };
    }
    // Lanes beyond the end of a view may lie inside its source.
    if let Lanes::Mapped(_) = site.lanes {
        let parts = TransferParts::of(ctx, body, site.op).ok_or(
            "its operands do not match its \
             types: run the verifier on the module",
        )?;
        if !parts.in_bounds.iter().all(|&is_in_bounds| is_in_bounds) {
            return Err("a lane out of the view's bounds may be in bounds of the memory".into());
        }
    }
    match body[view].name {
        memref::SUBVIEW => at.subview(SubViewOp(view), subscripts),
        memref::EXPAND_SHAPE => at.expand_shape(view, subscripts),
        memref::COLLAPSE_SHAPE => at.collapse_shape(view, subscripts),
        _ => at.reinterpret_cast(values, ReinterpretCastOp(view), subscripts),
    }
}

/// View being looked through.
struct At<'a> {
    ctx: &'a Context,
    body: &'a Body,
    scope: RegionId,
    source: Value,
}

const STRIDED_LANES: &str = "the lanes of its vector are not contiguous in the memory";
const ILL_FORMED: &str = "the operands of the view do not match its types: run the verifier on \
     the module";

impl At<'_> {
    fn mixed(&self, subscripts: &mut Subscripts, mixed: Mixed) -> Result<AffineExpr, Refusal> {
        match mixed {
            Mixed::Constant(DYNAMIC) => Err(ILL_FORMED.into()),
            Mixed::Constant(number) => Ok(self.ctx.affine_const(number)),
            Mixed::Value(value) => Ok(subscripts.name(self.ctx, self.body, self.scope, value)),
        }
    }

    /// The product `left * right`, with a symbolic factor on the right.
    fn product(&self, left: AffineExpr, right: AffineExpr) -> AffineExpr {
        match right.is_symbolic_or_constant(self.ctx) {
            true => self.ctx.affine_mul(left, right),
            false => self.ctx.affine_mul(right, left),
        }
    }

    fn subview(&self, view: SubViewOp, subscripts: &mut Subscripts) -> Result<(), Refusal> {
        let (ctx, body) = (self.ctx, self.body);
        let kept = kept_dimensions(ctx, body, view).ok_or(ILL_FORMED)?;
        let strides = view.strides(ctx, body);
        let mut exprs = Vec::new();
        for ((offset, &stride), kept) in (view.offsets(ctx, body).into_iter())
            .zip(&strides)
            .zip(&kept)
        {
            let offset = self.mixed(subscripts, offset)?;
            let Some(number) = *kept else {
                exprs.push(offset);
                continue;
            };
            let stride = self.mixed(subscripts, stride)?;
            let &index = subscripts.exprs.get(number).ok_or(ILL_FORMED)?;
            exprs.push(ctx.affine_add(self.product(index, stride), offset));
        }
        for lane in subscripts.lanes.iter_mut().flatten() {
            let place = kept.iter().position(|&kept| kept == Some(*lane));
            let place = place.ok_or(ILL_FORMED)?;
            if strides.get(place) != Some(&Mixed::Constant(1)) {
                return Err(STRIDED_LANES.into());
            }
            *lane = place;
        }
        subscripts.exprs = exprs;
        Ok(())
    }

    fn expand_shape(&self, view: OpId, subscripts: &mut Subscripts) -> Result<(), Refusal> {
        let (ctx, body) = (self.ctx, self.body);
        let groups = places(groups(ctx, &body[view]))?;
        let sizes = body[view].get(ctx, inherent::STATIC_OUTPUT_SHAPE);
        let sizes = Mixed::zip(&sizes.ok_or(ILL_FORMED)?, &body[view].operands[1..]);
        let mut exprs = Vec::new();
        for group in &groups {
            let mut sum = ctx.affine_const(0);
            for (number, &dim) in group.iter().enumerate() {
                let &index = subscripts.exprs.get(dim).ok_or(ILL_FORMED)?;
                if number > 0 {
                    let size = self.mixed(subscripts, *sizes.get(dim).ok_or(ILL_FORMED)?)?;
                    sum = self.product(sum, size);
                }
                sum = ctx.affine_add(sum, index);
            }
            exprs.push(sum);
        }
        for lane in subscripts.lanes.iter_mut().flatten() {
            // Only lanes along the last dimension of a group are adjacent.
            let place = groups.iter().position(|group| group.last() == Some(lane));
            *lane = place.ok_or(STRIDED_LANES)?;
        }
        subscripts.exprs = exprs;
        Ok(())
    }

    fn collapse_shape(&self, view: OpId, subscripts: &mut Subscripts) -> Result<(), Refusal> {
        let (ctx, body) = (self.ctx, self.body);
        let groups = places(groups(ctx, &body[view]))?;
        let shape = &body.ty(self.source).memref(ctx).ok_or(ILL_FORMED)?.shape;
        let mut exprs = vec![ctx.affine_const(0); shape.len()];
        let mut along = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            if group.iter().any(|&dim| dim >= shape.len()) {
                return Err(ILL_FORMED.into());
            }
            // The index along a dimension of size 1 is 0.
            let mut wide = group.clone();
            wide.retain(|&dim| shape[dim] != 1);
            if wide.is_empty() {
                wide.extend(group.last());
            }
            along.push(wide.clone());
            let &index = subscripts.exprs.get(number).ok_or(ILL_FORMED)?;
            let mut rest = index;
            let Some((&outer, inner)) = wide.split_first() else {
                continue;
            };
            for &dim in inner.iter().rev() {
                let size = match shape[dim] {
                    DYNAMIC => subscripts.extent(ctx, body, self.source, dim),
                    size => ctx.affine_const(size.max(1)),
                };
                exprs[dim] = ctx.affine_binary(AffineOp::Mod, rest, size);
                rest = ctx.affine_binary(AffineOp::FloorDiv, rest, size);
            }
            exprs[outer] = rest;
        }
        for lane in subscripts.lanes.iter_mut().flatten() {
            match along.get(*lane).map(|along| &along[..]) {
                Some(&[only]) => *lane = only,
                _ => return Err("its vector may reach into the next row".into()),
            }
        }
        subscripts.exprs = exprs;
        Ok(())
    }

    /// Looks through a `memref.reinterpret_cast`: `offset + Σ stride * index`, from the start of
    /// the buffer, which has one dimension.
    fn reinterpret_cast(
        &self,
        values: &mut AffineValues,
        view: ReinterpretCastOp,
        subscripts: &mut Subscripts,
    ) -> Result<(), Refusal> {
        let (ctx, body) = (self.ctx, self.body);
        self.check_reach(values, view)?;
        let strides = view.strides(ctx, body);
        let offset = view.offsets(ctx, body).first().copied();
        let mut sum = ctx.affine_const(0);
        for (number, &stride) in strides.iter().enumerate() {
            let &index = subscripts.exprs.get(number).ok_or(ILL_FORMED)?;
            let stride = self.mixed(subscripts, stride)?;
            sum = ctx.affine_add(sum, self.product(index, stride));
        }
        let offset = self.mixed(subscripts, offset.ok_or(ILL_FORMED)?)?;
        for lane in subscripts.lanes.iter_mut().flatten() {
            if strides.get(*lane) != Some(&Mixed::Constant(1)) {
                return Err(STRIDED_LANES.into());
            }
            *lane = 0;
        }
        subscripts.exprs = vec![ctx.affine_add(sum, offset)];
        Ok(())
    }

    /// Checks that a `memref.reinterpret_cast` covers only elements of its source, which counts
    /// them as the buffer does.
    fn check_reach(
        &self,
        values: &mut AffineValues,
        view: ReinterpretCastOp,
    ) -> Result<(), Refusal> {
        let (ctx, body) = (self.ctx, self.body);
        let ty = body.ty(self.source).memref(ctx);
        let ty = ty.ok_or("its memref is cast from one without a rank")?;
        if ty.layout.is_some() || ty.rank() == 0 {
            return Err(
                "the memref that it is cast from has another layout than rows of elements".into(),
            );
        }
        // A source that is a whole buffer is the result of its allocation.
        let maker = body.defining_op(self.source).map(|op| body[op].name);
        let is_whole = matches!(
            maker,
            Some(memref::ALLOC | memref::ALLOCA | memref::GET_GLOBAL)
        );
        if is_whole && ty.rank() == 1 {
            return Ok(());
        }
        let beyond = "the cast may reach beyond the memref that it is given";
        let number = |mixed: &Mixed| match *mixed {
            Mixed::Constant(number) if number != DYNAMIC => Some(i128::from(number)),
            _ => None,
        };
        let numbers = |list: Vec<Mixed>| list.iter().map(number).collect::<Option<Vec<i128>>>();
        let sizes = numbers(view.sizes(ctx, body)).ok_or(beyond)?;
        let strides = numbers(view.strides(ctx, body)).ok_or(beyond)?;
        let &[offset] = &view.offsets(ctx, body)[..] else {
            return Err(ILL_FORMED.into());
        };
        let offset = match offset {
            Mixed::Constant(_) => number(&offset).map(Interval::point),
            Mixed::Value(value) => {
                let env = values.environment_at(view.0);
                let expr = values.exact_expr(value, env);
                values.interval(expr, env)
            }
        };
        let Interval {
            mut least,
            mut most,
        } = offset.ok_or(beyond)?;
        for (size, stride) in sizes.into_iter().zip(strides) {
            // A product of two 64-bit numbers fits 128 bits, a sum of many need not.
            let reach = (size - 1).max(0) * stride;
            let end = if reach < 0 { &mut least } else { &mut most };
            *end = end.saturating_add(reach);
        }
        let mut extent = ty.shape.iter().filter(|&&size| size != DYNAMIC);
        let is_static = !ty.shape.contains(&DYNAMIC);
        let extent = extent.try_fold(1i128, |all, &size| all.checked_mul(i128::from(size)));
        match is_static && least >= 0 && extent.is_some_and(|extent| most < extent) {
            true => Ok(()),
            false => Err(beyond.into()),
        }
    }
}

/// Whether a view counts the elements of a source of several dimensions in one row.
pub(super) fn counts_elements(ctx: &Context, body: &Body, view: OpId) -> bool {
    let ty = body.ty(body[view].operands[0]).memref(ctx);
    body[view].name == memref::REINTERPRET_CAST && ty.is_some_and(|ty| ty.rank() > 1)
}

/// Reads groups of dimensions as positions.
fn places(groups: Option<Vec<Vec<i64>>>) -> Result<Vec<Vec<usize>>, Refusal> {
    let groups = groups.ok_or(ILL_FORMED)?;
    let place = |&dim: &i64| usize::try_from(dim).ok();
    let group = |group: Vec<i64>| group.iter().map(place).collect();
    let places: Option<Vec<_>> = groups.into_iter().map(group).collect();
    places.ok_or_else(|| ILL_FORMED.into())
}
