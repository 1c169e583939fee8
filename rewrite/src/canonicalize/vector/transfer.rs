//! `vector.transfer_read` and `vector.transfer_write`: marks dimensions in bounds, drops
//! full masks, and forwards written vectors to reads of the same tensor.
//!
//! ```text
//! transfer_read %m[%i, %c4] : memref<8x16xf32>, vector<4xf32>  ⇒  … {in_bounds = [true]}
//! transfer_read (transfer_write %v, %t[%i])[%i]                ⇒  %v
//! ```

use gridloom_dialects::vector::TransferParts;
use gridloom_dialects::{inherent, tensor, vector};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::{AffineMap, Attr, OpId, Type, TypeKind, Value};

use super::super::build::make;
use super::super::memory::look_through_cast;
use super::super::tensor::{only_erases_extents, uncast};
use super::mask::{Lanes, lanes};
use super::vector_of;
use crate::rewriter::Rewriter;

/// The bound on transfers followed in a chain.
const MAX_LINKS: usize = 16;

pub(super) fn transfer(rw: &Rewriter, op: OpId) -> Option<TransferParts> {
    TransferParts::of(rw.ctx, rw.body(), op)
}

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let parts = transfer(rw, op)?;
    let is_read = parts.is_read;
    let on_tensor = match is_read {
        true => read_written(rw, op, &parts).or_else(|| read_repeated(rw, op, &parts)),
        false => write_read(rw, op, &parts).or_else(|| write_once(rw, op, &parts)),
    };
    on_tensor
        .or_else(|| mark_in_bounds(rw, op, &parts))
        .or_else(|| drop_mask(rw, op, &parts))
        .or_else(|| look_through_cast(rw, op, usize::from(!is_read)))
        .or_else(|| match is_read {
            true => look_through_tensor_cast(rw, op),
            false => uncast(rw, op),
        })
}

/// `transfer_read (cast %t) ⇒ transfer_read %t` for a cast that only erases extents.
fn look_through_tensor_cast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let mut operands = rw.body()[op].operands.to_vec();
    let base = operands.first_mut()?;
    let source = *rw.look(op).maker(*base, tensor::CAST)?.operands.first()?;
    let [from, to] = [source, *base].map(|value| rw.body().ty(value));
    if !only_erases_extents(rw.ctx, from, to) {
        return None;
    }
    *base = source;
    rw.set_operands(op, &operands);
    Some(())
}

/// The shape of a memref or tensor.
fn extents<'a>(rw: &Rewriter<'a>, ty: Type) -> &'a [i64] {
    match ty.kind(rw.ctx) {
        TypeKind::MemRef(memref) => &memref.shape,
        TypeKind::RankedTensor { shape, .. } => shape,
        _ => &[],
    }
}

/// `transfer_read %m[2] : memref<8xf32>, vector<4xf32> ⇒ … {in_bounds = [true]}` for dimensions
/// whose constant index and static extent prove it.
fn mark_in_bounds(rw: &mut Rewriter, op: OpId, parts: &TransferParts) -> Option<()> {
    let ctx = rw.ctx;
    let vector = vector_of(rw, parts.vector)?;
    let base = extents(rw, rw.body().ty(parts.base));
    let cx = rw.look(op);
    let fits = |(number, result): (usize, &gridloom_ir::AffineExpr)| match result.kind(ctx) {
        AffineExprKind::Constant(_) => true,
        AffineExprKind::Dim(dim) => {
            let (dim, wide) = (dim as usize, !vector.scalable[number]);
            let start = parts.indices.get(dim).and_then(|&index| cx.int(index));
            // [`DYNAMIC`](gridloom_ir::types::DYNAMIC) is negative, so an unknown extent
            // proves nothing.
            start.is_some_and(|start| {
                let end = start.checked_add(vector.shape[number]);
                wide && start >= 0 && end.is_some_and(|end| end <= base[dim])
            })
        }
        _ => false,
    };
    let known: Vec<bool> = parts
        .map
        .results(ctx)
        .iter()
        .enumerate()
        .map(|result| parts.in_bounds.get(result.0) == Some(&true) || fits(result))
        .collect();
    if known == parts.in_bounds {
        return None;
    }
    let known: Vec<Attr> = known.into_iter().map(|flag| ctx.bool_attr(flag)).collect();
    let known = ctx.array_attr(&known);
    rw.set_property(op, inherent::IN_BOUNDS, known);
    Some(())
}

/// `transfer_read %m, all ⇒ transfer_read %m`.
fn drop_mask(rw: &mut Rewriter, op: OpId, parts: &TransferParts) -> Option<()> {
    let mask = parts.mask?;
    if lanes(rw, op, mask) != Some(Lanes::All) {
        return None;
    }
    let ctx = rw.ctx;
    let mut sizes = rw.body()[op].get(ctx, inherent::OPERAND_SEGMENT_SIZES)?;
    *sizes.last_mut()? = 0;
    let mut operands = rw.body()[op].operands.to_vec();
    operands.pop();
    let sizes = ctx.i32_array_attr(&sizes);
    rw.set_property(op, inherent::OPERAND_SEGMENT_SIZES, sizes);
    rw.set_operands(op, &operands);
    Some(())
}

/// Whether two transfers access the same elements, all of them in bounds.
fn is_same_place(a: &TransferParts, b: &TransferParts) -> bool {
    a.indices == b.indices && a.map == b.map && is_whole(a) && is_whole(b)
}

/// Whether a transfer is unmasked and in bounds in all dimensions.
pub(super) fn is_whole(parts: &TransferParts) -> bool {
    parts.mask.is_none() && !parts.in_bounds.contains(&false)
}

/// Whether a permutation map has no broadcast dimension: each vector element has an
/// element of its own.
pub(super) fn is_projection(rw: &Rewriter, map: AffineMap) -> bool {
    let is_dim =
        |result: &gridloom_ir::AffineExpr| matches!(result.kind(rw.ctx), AffineExprKind::Dim(_));
    map.results(rw.ctx).iter().all(is_dim)
}

/// The `transfer_write` that defines a tensor.
fn writer(rw: &Rewriter, op: OpId, tensor: Value) -> Option<TransferParts> {
    rw.look(op).maker(tensor, vector::TRANSFER_WRITE)?;
    transfer(rw, rw.body().defining_op(tensor)?)
}

/// `transfer_read (transfer_write %v, %t[%i])[%i] ⇒ %v`, looking through disjoint writes.
fn read_written(rw: &mut Rewriter, op: OpId, parts: &TransferParts) -> Option<()> {
    let mut link = parts.base;
    for _ in 0..MAX_LINKS {
        let written = writer(rw, op, link)?;
        let same_type = rw.body().ty(written.vector) == rw.body().ty(parts.vector);
        if same_type && is_same_place(parts, &written) && is_projection(rw, parts.map) {
            rw.replace_op(op, &[written.vector]);
            return Some(());
        }
        if !same_type || !lie_apart(rw, op, parts, &written) {
            return None;
        }
        link = written.base;
    }
    None
}

/// A read of the written elements that permutes or repeats dimensions ⇒ `broadcast` and
/// `transpose` of the written vector.
fn read_repeated(rw: &mut Rewriter, op: OpId, parts: &TransferParts) -> Option<()> {
    let ctx = rw.ctx;
    let written = writer(rw, op, parts.base)?;
    let same = parts.indices == written.indices
        && is_whole(parts)
        && is_whole(&written)
        && is_projection(rw, written.map);
    let (from, to) = (vector_of(rw, written.vector)?, vector_of(rw, parts.vector)?);
    let (reads, writes) = (parts.map.results(ctx), written.map.results(ctx));
    let repeated = reads.len().checked_sub(writes.len())?;
    if !same || repeated == 0 || from.is_scalable() || to.is_scalable() {
        return None;
    }
    let (mut next, mut shape, mut permutation) = (0, vec![0; reads.len()], Vec::new());
    for (read, &extent) in reads.iter().zip(to.shape) {
        let place = match read.kind(ctx) {
            AffineExprKind::Constant(0) if next < repeated => {
                next += 1;
                next - 1
            }
            AffineExprKind::Dim(_) => {
                let number = writes.iter().position(|write| write == read)?;
                if from.shape[number] != extent {
                    return None;
                }
                repeated + number
            }
            _ => return None,
        };
        shape[place] = extent;
        permutation.push(place as i64);
    }
    let (ty, element) = (rw.body().ty(parts.vector), from.element);
    let repeated = rw.make(
        op,
        vector::BROADCAST,
        &[written.vector],
        ctx.vector_type(&shape, element),
    );
    let permutation = [(
        inherent::TRANSPOSITION.name(),
        ctx.i64_array_attr(&permutation),
    )];
    let value = make(rw, op, vector::TRANSPOSE, &[repeated], ty, &permutation);
    rw.replace_op(op, &[value]);
    Some(())
}

/// `transfer_write (transfer_read %t[%i]), %t[%i] ⇒ %t`; writing all of one tensor to all
/// of another gives the first.
fn write_read(rw: &mut Rewriter, op: OpId, parts: &TransferParts) -> Option<()> {
    rw.body()[op].results().next()?;
    rw.look(op).maker(parts.vector, vector::TRANSFER_READ)?;
    let read = transfer(rw, rw.body().defining_op(parts.vector)?)?;
    if !is_same_place(parts, &read) {
        return None;
    }
    let [ours, other] = [parts, &read].map(|parts| rw.body().ty(parts.base));
    let cx = rw.look(op);
    let is_all = || {
        ours == other
            && parts.map.is_identity(rw.ctx)
            && vector_of(rw, parts.vector)
                .is_some_and(|vector| !vector.is_scalable() && vector.shape == extents(rw, ours))
            && parts.indices.iter().all(|&index| cx.is_int(index, 0))
    };
    if read.base != parts.base && !is_all() {
        return None;
    }
    rw.replace_op(op, &[read.base]);
    Some(())
}

/// `transfer_write %a, (transfer_write %b, %t)[p] ⇒ transfer_write %a, %t` for the same elements,
/// if nothing else reads the earlier write.
fn write_once(rw: &mut Rewriter, op: OpId, parts: &TransferParts) -> Option<()> {
    rw.body()[op].results().next()?;
    let mut link = parts.base;
    for _ in 0..MAX_LINKS {
        let earlier = writer(rw, op, link)?;
        if rw.users(link).len() != 1 {
            return None;
        }
        let maker = rw.body().defining_op(link)?;
        let same_type = rw.body().ty(earlier.vector) == rw.body().ty(parts.vector);
        if same_type && is_same_place(parts, &earlier) {
            rw.replace_op(maker, &[earlier.base]);
            return Some(());
        }
        if !lie_apart(rw, op, parts, &earlier) {
            return None;
        }
        link = earlier.base;
    }
    None
}

/// Whether constant indices prove that two transfers access disjoint elements.
fn lie_apart(rw: &Rewriter, op: OpId, a: &TransferParts, b: &TransferParts) -> bool {
    let cx = rw.look(op);
    let extent = |parts: &TransferParts, dim: usize| {
        let results = parts.map.results(rw.ctx).iter();
        let number = results
            .map(|result| result.kind(rw.ctx))
            .position(|kind| kind == AffineExprKind::Dim(dim as u32));
        let vector = vector_of(rw, parts.vector)?;
        match number {
            None => Some(1),
            Some(number) => (!vector.scalable[number]).then(|| vector.shape[number]),
        }
    };
    let apart = |dim: usize| {
        let (from, other) = (cx.int(a.indices[dim])?, cx.int(b.indices[dim])?);
        let (size, other_size) = (extent(a, dim)?, extent(b, dim)?);
        Some(from.checked_add(size)? <= other || other.checked_add(other_size)? <= from)
    };
    (0..a.indices.len().min(b.indices.len())).any(|dim| apart(dim) == Some(true))
}
