//! `vector.extract_strided_slice` and `vector.insert_strided_slice`.
//!
//! ```text
//! extract_strided_slice (broadcast %x)                 ⇒  broadcast %x
//! extract_strided_slice (insert_strided_slice %s, …)   ⇒  a slice of %s
//! extract_strided_slice %v [2, 0, 0] : … to 1x1x8      ⇒  shape_cast (extract %v[2, 0])
//! ```

use gridloom_dialects::{arith, inherent, vector};
use gridloom_ir::body::OpData;
use gridloom_ir::{OpId, Type, Value};

use super::super::build::{integer_array, make, remake};
use super::mask::constant_mask;
use super::{extents, is_scalable, splatted, vector_of};
use crate::rewriter::Rewriter;

/// Offsets and sizes in all dimensions of the vector. Strides are 1: the verifier
/// demands it.
struct Slice {
    offsets: Vec<i64>,
    sizes: Vec<i64>,
}

/// The slice of an extraction; trailing dimensions that it leaves out are taken
/// completely.
fn slice_of(rw: &Rewriter, op: OpId) -> Option<Slice> {
    let data = &rw.body()[op];
    let mut offsets = data.get(rw.ctx, inherent::OFFSETS)?;
    let sizes = extents(rw, rw.body().ty(data.result(0))).to_vec();
    offsets.resize(sizes.len(), 0);
    Some(Slice { offsets, sizes })
}

/// Tries each rewrite of `vector.extract_strided_slice`.
pub(super) fn extract(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [source] = rw.look(op).operands()?;
    if is_scalable(rw, rw.body().ty(source)) {
        return None;
    }
    let slice = slice_of(rw, op)?;
    let made = rw.body().defining_op(source);
    let of_maker = match made.map(|maker| (maker, rw.body()[maker].name)) {
        Some((maker, vector::BROADCAST)) => of_broadcast(rw, op, maker, &slice),
        Some((maker, vector::CONSTANT_MASK)) => of_constant_mask(rw, op, maker, &slice),
        Some((maker, vector::CREATE_MASK)) => of_mask(rw, op, maker, &slice),
        Some((maker, vector::INSERT_STRIDED_SLICE)) => of_insertion(rw, op, maker, &slice),
        _ => None,
    };
    of_maker.or_else(|| take_row(rw, op, source, &slice))
}

/// `extract_strided_slice (broadcast %v) ⇒ broadcast (extract_strided_slice %v)`.
fn of_broadcast(rw: &mut Rewriter, op: OpId, maker: OpId, slice: &Slice) -> Option<()> {
    let source = *rw.body()[maker].operands.first()?;
    let Some(vector) = vector_of(rw, source) else {
        return remake(rw, op, vector::BROADCAST, &[source], &[]);
    };
    let new = slice.sizes.len() - vector.rank();
    let whole = extents(rw, rw.body().ty(rw.body()[maker].result(0)));
    let mut offsets = slice.offsets[new..].to_vec();
    let mut sizes = slice.sizes[new..].to_vec();
    for (dim, &extent) in vector.shape.iter().enumerate() {
        // A stretched dimension holds the same elements everywhere.
        if extent != whole[new + dim] {
            (offsets[dim], sizes[dim]) = (0, 1);
        }
    }
    let part = match sizes == vector.shape {
        true => source,
        false => {
            let ty = rw.ctx.vector_type(&sizes, vector.element);
            cut(rw, op, source, &offsets, &sizes, ty)
        }
    };
    if rw.body().ty(part) == rw.body().ty(rw.body()[op].result(0)) {
        rw.replace_op(op, &[part]);
        return Some(());
    }
    remake(rw, op, vector::BROADCAST, &[part], &[])
}

fn cut(
    rw: &mut Rewriter,
    op: OpId,
    source: Value,
    offsets: &[i64],
    sizes: &[i64],
    ty: Type,
) -> Value {
    let ctx = rw.ctx;
    let properties = [
        (inherent::OFFSETS.name(), integer_array(ctx, offsets)),
        (inherent::SIZES.name(), integer_array(ctx, sizes)),
        (
            inherent::STRIDES.name(),
            integer_array(ctx, &vec![1; sizes.len()]),
        ),
    ];
    make(
        rw,
        op,
        vector::EXTRACT_STRIDED_SLICE,
        &[source],
        ty,
        &properties,
    )
}

/// `extract_strided_slice (constant_mask [3]) offsets [2] sizes [4] ⇒ constant_mask [1]`.
fn of_constant_mask(rw: &mut Rewriter, op: OpId, maker: OpId, slice: &Slice) -> Option<()> {
    let bounds = rw.body()[maker].get(rw.ctx, inherent::MASK_DIM_SIZES)?;
    let dims = bounds.iter().zip(&slice.offsets).zip(&slice.sizes);
    let sizes = dims.map(|((bound, offset), &size)| (bound - offset).clamp(0, size));
    let sizes = sizes.collect();
    constant_mask(rw, op, sizes)
}

/// `extract_strided_slice (create_mask %n) offsets [2] ⇒ create_mask (subi %n, 2)`.
fn of_mask(rw: &mut Rewriter, op: OpId, maker: OpId, slice: &Slice) -> Option<()> {
    let bounds = rw.body()[maker].operands.to_vec();
    let mut sizes = Vec::new();
    for (&bound, &offset) in bounds.iter().zip(&slice.offsets) {
        let index = rw.ctx.index_type();
        sizes.push(match offset {
            0 => bound,
            offset => {
                let offset = rw.splat(offset as u64, index, op)?;
                rw.make(op, arith::SUBI, &[bound, offset], index)
            }
        });
    }
    remake(rw, op, vector::CREATE_MASK, &sizes, &[])
}

/// `extract_strided_slice (insert_strided_slice %s, %v) ⇒ extract_strided_slice %s` or `… %v`,
/// along a chain of inserted slices.
fn of_insertion(rw: &mut Rewriter, op: OpId, maker: OpId, slice: &Slice) -> Option<()> {
    let given = rw.body()[op].get(rw.ctx, inherent::OFFSETS)?.len();
    let mut maker = maker;
    // The bound on links followed.
    for _ in 0..64 {
        let data = &rw.body()[maker];
        if data.name != vector::INSERT_STRIDED_SLICE {
            return None;
        }
        let &[part, target] = &data.operands[..] else {
            return None;
        };
        let offsets = data.get(rw.ctx, inherent::OFFSETS)?;
        let sizes = extents(rw, rw.body().ty(part));
        if sizes.len() != slice.sizes.len() {
            return None;
        }
        let start: Vec<i64> = slice
            .offsets
            .iter()
            .zip(&offsets)
            .map(|(a, b)| a - b)
            .collect();
        let dims = || start.iter().zip(&slice.sizes).zip(sizes);
        if dims().all(|((&start, &size), &extent)| start >= 0 && start + size <= extent) {
            if rw.body().ty(part) == rw.body().ty(rw.body()[op].result(0)) {
                rw.replace_op(op, &[part]);
                return Some(());
            }
            return set_slice(rw, op, part, &start[..given]);
        }
        if !dims().any(|((&start, &size), &extent)| start + size <= 0 || start >= extent) {
            return None;
        }
        maker = rw.body().defining_op(target)?;
    }
    None
}

fn set_slice(rw: &mut Rewriter, op: OpId, source: Value, offsets: &[i64]) -> Option<()> {
    let offsets = integer_array(rw.ctx, offsets);
    rw.set_property(op, inherent::OFFSETS, offsets);
    rw.set_operands(op, &[source]);
    Some(())
}

/// `extract_strided_slice` of one row ⇒ `shape_cast (extract …)`.
fn take_row(rw: &mut Rewriter, op: OpId, source: Value, slice: &Slice) -> Option<()> {
    let vector = vector_of(rw, source)?;
    let rank = vector.rank();
    let mut outer = (0..rank)
        .rposition(|dim| slice.sizes[dim] != vector.shape[dim])
        .map_or(0, |dim| dim + 1);
    if outer == 0 || outer == rank || slice.sizes[..outer].iter().any(|&size| size != 1) {
        return None;
    }
    while outer + 1 < rank && vector.shape[outer] == 1 {
        outer += 1;
    }
    let at = rw.ctx.i64_array_attr(&slice.offsets[..outer]);
    let ty = vector.tail(rw.ctx, outer);
    let row = make(
        rw,
        op,
        vector::EXTRACT,
        &[source],
        ty,
        &[(inherent::STATIC_POSITION.name(), at)],
    );
    remake(rw, op, vector::SHAPE_CAST, &[row], &[])
}

/// `insert_strided_slice (extract_strided_slice %v at p), %v at p ⇒ %v`,
/// `insert_strided_slice (splat %x), (splat %x) ⇒ splat %x`.
pub(super) fn insert(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [part, target] = rw.look(op).operands()?;
    let same_scalar =
        splatted(rw, op, part).is_some_and(|scalar| splatted(rw, op, target) == Some(scalar));
    if same_scalar || comes_from(rw, op, part, target) {
        rw.replace_op(op, &[target]);
        return Some(());
    }
    None
}

/// Whether a slice was extracted from `target` at the offsets it is inserted at.
fn comes_from(rw: &Rewriter, op: OpId, part: Value, target: Value) -> bool {
    let Some(taken) = rw.look(op).maker(part, vector::EXTRACT_STRIDED_SLICE) else {
        return false;
    };
    let offsets = |data: &OpData| {
        let mut offsets = data.get(rw.ctx, inherent::OFFSETS)?;
        let rank = extents(rw, rw.body().ty(target)).len();
        offsets.resize(rank, 0);
        Some(offsets)
    };
    let same_place = offsets(taken).is_some_and(|at| Some(at) == offsets(&rw.body()[op]));
    taken.operands.first() == Some(&target) && same_place
}
