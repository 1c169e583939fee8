//! `fold-memref-alias-ops`: folds views into the accesses through them;
//! `affine-fold-memref-alias-ops` does so for affine accesses only, and `affine-fold-tiles` for those of
//! subviews and reinterpreting casts that a loop makes.
//!
//! ```text
//! %v = memref.subview %a[%o, 2] [4, 8] [1, 2]        %x = affine.load %a[%i + symbol(%o), %j * 2 + 2]
//! %x = affine.load %v[%i, %j]                   ⇒
//! %c = memref.collapse_shape %a [[0, 1]]             %k = affine.apply (d0) -> (d0 floordiv 20)
//! %y = memref.load %c[%i]                            %l = affine.apply (d0) -> (d0 mod 20)
//!                                                    %y = memref.load %a[%k, %l]
//! ```
//!
//! Views are `memref.subview`, `expand_shape`, `collapse_shape`, `reinterpret_cast` and `cast`,
//! accesses those of an element, of a vector and their prefetches and atomic updates. Legal for an
//! access in range of the view, whatever the indices of an access of one element are. Those of an
//! affine access have to stay affine, and the lanes of a vector have to lie along one dimension of the
//! memory with the same stride; `memref.reinterpret_cast` counts from the start of the buffer, which
//! has to be the source's. A view without uses is erased. An access that stays gets a remark.

mod subscripts;
mod views;

use gridloom_dialects::affine::{Bound, scope_of};
use gridloom_dialects::vector::TransferParts;
use gridloom_dialects::{affine, gridloom, inherent, memref, vector};
use gridloom_ir::{AffineExpr, Body, Builder, Context, Diagnostic, Diagnostics, OpId, Value};

use self::subscripts::{Refusal, Subscripts};
use self::views::{counts_elements, is_foldable_view, look_through};
use super::affine_collapse_dimensions::collapse;
use super::index_values::index_values;
use crate::analysis::loop_kind::is_any_loop;
use crate::analysis::values::AffineValues;

/// Folds the views of a body into accesses. Returns whether there were any, and which accesses stay.
pub fn fold_alias_ops(ctx: &Context, body: &mut Body) -> (bool, Diagnostics) {
    fold(ctx, body, Folds::All)
}

/// Folds the views of a body into the accesses of the affine dialect.
pub fn fold_affine_alias_ops(ctx: &Context, body: &mut Body) -> (bool, Diagnostics) {
    fold(ctx, body, Folds::Affine)
}

/// Folds the subviews that loops make into the accesses of the affine dialect. Returns whether there were any.
pub fn fold_tiles(ctx: &Context, body: &mut Body) -> bool {
    // What stays is right as it is, and no reader asked for it.
    let (changed, _) = fold(ctx, body, Folds::Tiles);
    changed
}

/// The views that are folded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Folds {
    All,
    /// Of accesses of the affine dialect.
    Affine,
    /// Subviews and reinterpreting casts inside of loops, of accesses of the affine dialect.
    Tiles,
}

impl Folds {
    fn takes(self, body: &Body, view: OpId) -> bool {
        let mut around = body.ancestors(view);
        let is_tile = matches!(body[view].name, memref::SUBVIEW | memref::REINTERPRET_CAST);
        self != Folds::Tiles || is_tile && around.any(|op| is_any_loop(body, op))
    }
}

fn fold(ctx: &Context, body: &mut Body, folds: Folds) -> (bool, Diagnostics) {
    let mut remarks = Diagnostics::new();
    let mut plans = Vec::new();
    let mut values = AffineValues::new(ctx, body);
    for op in body.walk() {
        let site = Site::of(ctx, body, op);
        let site = site.filter(|site| site.is_affine || folds == Folds::All);
        let Some(site) = site else { continue };
        match plan(&mut values, site, folds) {
            Ok(plan) => plans.extend(plan),
            Err(why) => {
                let message =
                    format!("this access is not folded into the memory of the view: {why}");
                remarks.push(Diagnostic::remark(body[op].loc, message));
            }
        }
    }
    for plan in &plans {
        plan.apply(ctx, body);
    }
    let changed = !plans.is_empty();
    if changed {
        erase_unused_views(body);
    }
    (changed, remarks)
}

/// Access site: where an operation has its memref and indices, which are consecutive operands.
struct Site {
    op: OpId,
    /// Whether the access has an affine map of its operands.
    is_affine: bool,
    /// Position of the memref among the operands.
    memref: usize,
    /// Number of the operands after the memref that give the indices.
    indices: usize,
    /// The index along which each dimension of the vector goes; none for a scalar.
    lanes: Lanes,
}

/// The indices that the dimensions of a vector lie along.
enum Lanes {
    /// The trailing indices, as many as this.
    Trailing(usize),
    /// The indices that a transfer's permutation map names; `None` for a broadcast.
    Mapped(Vec<Option<usize>>),
}

impl Site {
    /// The site of an access; `None` for other operations.
    fn of(ctx: &Context, body: &Body, op: OpId) -> Option<Site> {
        let name = body[op].name;
        let (is_affine, memref) = match name {
            affine::LOAD | affine::VECTOR_LOAD | affine::PREFETCH => (true, 0),
            affine::STORE | affine::VECTOR_STORE => (true, 1),
            memref::LOAD | memref::PREFETCH | memref::GENERIC_ATOMIC_RMW => (false, 0),
            memref::STORE | memref::ATOMIC_RMW => (false, 1),
            vector::LOAD | vector::MASKEDLOAD | vector::MASKEDSTORE => (false, 0),
            vector::EXPANDLOAD | vector::COMPRESSSTORE | vector::TRANSFER_READ => (false, 0),
            vector::STORE | vector::TRANSFER_WRITE => (false, 1),
            _ => return None,
        };
        let memory = *body[op].operands.get(memref)?;
        let ty = body.ty(memory).memref(ctx)?;
        let indices = match is_affine {
            true => body[op].get(ctx, inherent::MAP)?.num_inputs(ctx),
            false => ty.rank(),
        };
        let rank =
            |value: Value| vector::VectorShape::of(ctx, body.ty(value)).map_or(0, |v| v.rank());
        let lanes = match name {
            affine::VECTOR_LOAD | vector::LOAD => Lanes::Trailing(rank(body[op].result(0))),
            affine::VECTOR_STORE | vector::STORE => Lanes::Trailing(rank(body[op].operands[0])),
            vector::MASKEDLOAD | vector::EXPANDLOAD => Lanes::Trailing(rank(body[op].result(0))),
            vector::MASKEDSTORE | vector::COMPRESSSTORE => {
                Lanes::Trailing(rank(*body[op].operands.last()?))
            }
            vector::TRANSFER_READ | vector::TRANSFER_WRITE => {
                let map = TransferParts::of(ctx, body, op)?.map;
                let results = map.results(ctx).iter();
                Lanes::Mapped(results.map(|&result| dim_of(ctx, result)).collect())
            }
            _ => Lanes::Trailing(0),
        };
        Some(Site {
            op,
            is_affine,
            memref,
            indices,
            lanes,
        })
    }

    /// The indices along which the vector's dimensions go, for a given number of indices.
    fn lanes(&self, rank: usize) -> Option<Vec<Option<usize>>> {
        Some(match &self.lanes {
            &Lanes::Trailing(count) => (rank.checked_sub(count)?..rank).map(Some).collect(),
            Lanes::Mapped(lanes) => lanes.clone(),
        })
    }
}

/// The number of a dimension expression.
fn dim_of(ctx: &Context, expr: AffineExpr) -> Option<usize> {
    match expr.kind(ctx) {
        gridloom_ir::affine::AffineExprKind::Dim(number) => Some(number as usize),
        _ => None,
    }
}

/// Folding plan: the access of the memory behind views.
struct Plan {
    site: Site,
    source: Value,
    subscripts: Subscripts,
    /// Whether the source has several dimensions, and the subscript counts all its elements.
    is_flat: bool,
}

/// Follows the views behind an access as far as they can be folded. `None` if there is no view.
fn plan(values: &mut AffineValues, site: Site, folds: Folds) -> Result<Option<Plan>, Refusal> {
    let (ctx, body) = (values.ctx, values.body);
    let view_behind = |value: Value| {
        let op = body.defining_op(value);
        op.filter(|&op| is_foldable_view(body, op) && folds.takes(body, op))
    };
    let first = site.memref + 1;
    let mut source = body[site.op].operands[site.memref];
    let Some(mut view) = view_behind(source) else {
        return Ok(None);
    };
    let ty = body
        .ty(source)
        .memref(ctx)
        .ok_or("its memref has no rank")?;
    let holds_vectors = vector::VectorShape::of(ctx, ty.element).is_some();
    let Some(lanes) = site.lanes(ty.rank()) else {
        return Err("its vector has more dimensions than the memory".into());
    };
    if holds_vectors && !lanes.is_empty() {
        return Err("elements of the memory are vectors themselves".into());
    }
    let scope = scope_of(body, site.op).ok_or("it is not inside a function")?;
    let operands = &body[site.op].operands[first..first + site.indices];
    let map = match site.is_affine {
        true => body[site.op].get(ctx, inherent::MAP),
        false => None,
    };
    let mut subscripts = match map {
        Some(map) => Subscripts::of_map(ctx, map, operands, lanes),
        None => Subscripts::of_values(ctx, body, scope, operands, lanes),
    };
    let mut found = None;
    loop {
        let mut next = subscripts.clone();
        let stepped = look_through(values, &site, scope, view, &mut next)
            .and_then(|()| next.check(ctx, body, &site));
        if let Err(why) = stepped {
            // A partial fold is better than none.
            match found {
                Some(_) => break,
                None => return Err(why),
            }
        }
        source = body[view].operands[0];
        subscripts = next;
        let is_flat = counts_elements(ctx, body, view);
        found = Some((source, subscripts.clone(), is_flat));
        match view_behind(source).filter(|_| !is_flat) {
            Some(behind) => view = behind,
            None => break,
        }
    }
    Ok(found.map(|(source, subscripts, is_flat)| Plan {
        site,
        source,
        subscripts,
        is_flat,
    }))
}

impl Plan {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let &Site {
            op,
            is_affine,
            memref,
            indices,
            ..
        } = &self.site;
        let source = match self.is_flat {
            true => flat(ctx, body, self.source),
            false => Some(self.source),
        };
        let Some(source) = source else { return };
        let mut b = Builder::before(ctx, body, op);
        let (map, operands) = self.subscripts.form(&mut b);
        let new = match is_affine {
            true => {
                b.body[op].set_property(ctx, inherent::MAP, ctx.map_attr(map));
                operands
            }
            false => index_values(
                &mut b,
                Bound {
                    map,
                    operands: &operands,
                },
            ),
        };
        let mut all = body[op].operands[..memref].to_vec();
        all.push(source);
        all.extend(&new);
        all.extend(&body[op].operands[memref + 1 + indices..]);
        let number_of_indices = new.len();
        body[op].operands = all.into_iter().collect();
        // The in-bounds flag was proved for the original operands.
        gridloom::set_in_bounds(ctx, &mut body[op], false);
        if let Lanes::Mapped(_) = self.site.lanes {
            let map = self.subscripts.permutation(ctx);
            let segments = inherent::OPERAND_SEGMENT_SIZES;
            if let Some(mut sizes) = body[op].get(ctx, segments) {
                // Both transfers have the indices right after the memref.
                sizes[memref + 1] = number_of_indices as i32;
                body[op].set_property(ctx, segments, ctx.i32_array_attr(&sizes));
            }
            body[op].set_property(ctx, inherent::PERMUTATION_MAP, ctx.map_attr(map));
        }
    }
}

/// Emits the row of all elements of a memref, behind its definition.
fn flat(ctx: &Context, body: &mut Body, memref: Value) -> Option<Value> {
    let rank = body.ty(memref).memref(ctx)?.rank();
    let joined: Vec<usize> = (1..rank).map(|dim| dim - 1).collect();
    collapse(ctx, body, memref, &joined)
}

/// Erases unused views.
fn erase_unused_views(body: &mut Body) {
    let ops = body.walk();
    loop {
        let uses = body.uses();
        let unused: Vec<OpId> = (ops.iter().copied())
            .filter(|&op| body[op].parent().is_some() && is_foldable_view(body, op))
            .filter(|&op| body[op].results().all(|result| uses.of(result).is_empty()))
            .collect();
        if unused.is_empty() {
            return;
        }
        unused.into_iter().for_each(|op| body.erase(op));
    }
}
