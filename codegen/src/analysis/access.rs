//! Access relations: the memory that operations read and write, as functions of atoms.
//!
//! ```text
//! affine.store %v, %m[%i + 1, 2 * %j]           write of %m[i + 1, 2 j]
//! %s = memref.subview %m[%a, 0] [8, 8] [1, 1]
//! memref.load %s[%i, %j]                        read of %m[a + i, j]
//! ```
//!
//! Views are followed to the allocation, argument or global behind them, the *root*, whose coordinates accesses are compared
//! in (`views.rs` has the subscripts of their sources). Where that does not succeed, an access is of unknown elements of the
//! root ([`Place::Somewhere`]), or of any memory ([`Place::Anything`]).

use gridloom_dialects::memref::{ReinterpretCastOp, SubViewOp};
use gridloom_dialects::vector::{self, VectorShape};
use gridloom_dialects::{affine, func, gpu, gridloom, memref};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::attr::AttrKind;
use gridloom_ir::op::Traits;
use gridloom_ir::scalar::scalar_kind;
use gridloom_ir::types::{DYNAMIC, MemRefType, TypeKind};
use gridloom_ir::{AffineExpr, Body, Context, OpId, Value};

use self::views::{first_byte, through_reinterpret_cast, through_subview};
use super::alias::{Root, is_view, root_of};
use super::callee::call_accesses;
use super::domain::Constraint;
use super::update::{Update, update_of};
use super::values::{AffineValues, Atom};

mod views;

pub use views::kept_dimensions;

/// Place of an access: the part of memory that it touches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Element of a buffer: equal coordinates mean the same element, and
    /// different ones different elements.
    Element {
        /// The buffer.
        root: Root,
        /// Unit of the coordinates.
        space: CoordSpace,
        /// Subscripts, one for each dimension.
        coords: Vec<AffineExpr>,
    },
    /// Unknown elements of a buffer.
    Somewhere(Root),
    /// Any memory, or an effect that is no memory at all (output, say).
    Anything,
}

/// Unit of the coordinates of a [`Place::Element`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CoordSpace {
    /// Indices of the root; of a layout that is a map of tiles, those of tile and place.
    Indices,
    /// Elements from the start of the root's buffer.
    Linear,
    /// Indices of a reshaped memref of open sizes, which is one and the same in all iterations. Only those of the same one are
    /// comparable.
    Reshaped(Value),
}

/// One memory access of an operation: a read or a write of one place. An operation may have
/// several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The operation.
    pub op: OpId,
    /// Whether the access writes; otherwise it reads.
    pub is_write: bool,
    /// The memory that the access touches.
    pub place: Place,
    /// Bounds guards: each subscript with the extent it must stay below; an access out of bounds
    /// touches nothing. `None` where a subscript is not affine, so that its range is unknown; empty
    /// for accesses without subscripts.
    pub guards: Option<Vec<(AffineExpr, AffineExpr)>>,
    /// Constraints on the atoms in the coordinates, where one access stands for several elements.
    pub constraints: Vec<Constraint>,
    /// Whether the access is only possible: the operation may also skip it.
    pub may: bool,
    /// The atomic update that this access is the read or the write of, if updates of that kind
    /// commute.
    pub update: Option<Update>,
}

impl Access {
    /// An access without subscripts.
    fn unguarded(op: OpId, is_write: bool, place: Place) -> Self {
        Access {
            op,
            is_write,
            place,
            guards: Some(Vec::new()),
            constraints: Vec::new(),
            may: false,
            update: None,
        }
    }
}

/// The accesses of `root` and the operations below it.
pub fn accesses_below(values: &mut AffineValues, root: OpId) -> Vec<Access> {
    let mut found = Vec::new();
    for op in values.body.walk_op(root) {
        accesses_of(values, op, &mut found);
    }
    found
}

/// The access of an operation that accesses one element or vector.
fn element_or_vector(values: &mut AffineValues, op: OpId) -> Option<Access> {
    let (ctx, body) = (values.ctx, values.body);
    if let Some(access) = affine::Access::cast(body, op) {
        let exprs = values.map_exprs(op, access.map(ctx, body), access.operands(body));
        let exprs: Option<Vec<AffineExpr>> = exprs.into_iter().collect();
        let (memref, is_store) = (access.memref(body), access.is_store);
        return Some(match vector_of(ctx, body, op) {
            Some(vector) => vector_access(values, op, is_store, memref, exprs, vector),
            None => element_access(values, op, is_store, memref, exprs),
        });
    }
    let mut exprs = |indices: &[Value]| Some(indices.iter().map(|&i| values.expr(i)).collect());
    if let Some(vector) = vector_of(ctx, body, op) {
        let is_store = body[op].name == vector::STORE;
        let memref = usize::from(is_store);
        let exprs = exprs(&body[op].operands[memref + 1..]);
        let memref = body[op].operands[memref];
        return Some(vector_access(values, op, is_store, memref, exprs, vector));
    }
    let access = memref::Access::cast(body, op)?;
    let exprs = exprs(access.indices(body));
    let (memref, is_store) = (access.memref(body), access.is_store);
    Some(element_access(values, op, is_store, memref, exprs))
}

/// Adds the accesses of one operation, without those of operations in its regions.
pub fn accesses_of(values: &mut AffineValues, op: OpId, found: &mut Vec<Access>) {
    let (ctx, body) = (values.ctx, values.body);
    if gridloom::is_element_access(body[op].name) {
        if let Some(known) = values.accesses.get(&op) {
            found.push(known.clone());
        } else if let Some(access) = element_or_vector(values, op) {
            values.accesses.insert(op, access.clone());
            found.push(access);
        }
        return;
    }
    let somewhere = |memref: Value, is_write: bool| {
        Access::unguarded(op, is_write, Place::Somewhere(root_of(ctx, body, memref)))
    };
    match body[op].name {
        memref::COPY => {
            let copy = memref::CopyOp(op);
            found.push(somewhere(copy.source(body), false));
            found.push(somewhere(copy.target(body), true));
        }
        memref::DEALLOC => found.extend(body[op].operands.iter().map(|&m| somewhere(m, true))),
        memref::PREFETCH | affine::PREFETCH | memref::ALLOC | memref::ALLOCA => {}
        memref::ATOMIC_RMW | memref::GENERIC_ATOMIC_RMW => {
            let first = usize::from(body[op].name == memref::ATOMIC_RMW);
            let update = update_of(values, op);
            let memref = body[op].operands[first];
            let indices = body[op].operands[first + 1..].iter();
            let exprs: Vec<AffineExpr> = indices.map(|&index| values.expr(index)).collect();
            for is_write in [false, true] {
                let half = element_access(values, op, is_write, memref, Some(exprs.clone()));
                found.push(Access { update, ..half });
            }
        }
        func::CALL if let Some(accesses) = call_accesses(values, op) => found.extend(accesses),
        _ if is_harmless(body, op) => {}
        _ => {
            let both = [false, true].into_iter();
            found.extend(both.map(|is_write| Access::unguarded(op, is_write, Place::Anything)));
        }
    }
}

/// Whether an operation itself accesses no memory; its regions may.
fn is_harmless(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    name.has(Traits::PURE)
        || name.has(Traits::RECURSIVE_EFFECTS)
        || is_view(body, op)
        // Terminators only pass values on. Branches that leave the region cannot stand inside
        // loops.
        || name.has(Traits::TERMINATOR)
        || matches!(name, func::RETURN | gpu::TERMINATOR)
}

/// The type of the vector that a contiguous vector load or store transfers.
fn vector_of<'c>(ctx: &'c Context, body: &Body, op: OpId) -> Option<VectorShape<'c>> {
    let ty = match body[op].name {
        affine::VECTOR_LOAD | vector::LOAD => body.ty(body[op].result(0)),
        affine::VECTOR_STORE | vector::STORE => body.ty(body[op].operands[0]),
        _ => return None,
    };
    VectorShape::of(ctx, ty)
}

/// Access of a vector: one element that stands for all lanes, each trailing subscript moved by an
/// unknown lane number ([`Atom::Lane`]).
fn vector_access(
    values: &mut AffineValues,
    op: OpId,
    is_write: bool,
    memref: Value,
    indices: Option<Vec<AffineExpr>>,
    vector: VectorShape,
) -> Access {
    let known = indices.filter(|indices| {
        let scalars = values.body.ty(memref).element(values.ctx) == Some(vector.element);
        scalars && !vector.is_scalable() && indices.len() >= vector.rank()
    });
    let Some(mut indices) = known else {
        return element_access(values, op, is_write, memref, None);
    };
    let skipped = indices.len() - vector.rank();
    let mut constraints = Vec::new();
    for (number, (index, &extent)) in (0..).zip(indices[skipped..].iter_mut().zip(vector.shape)) {
        let lane = Atom::Lane(op, number, extent.saturating_sub(1));
        let (moved, of_lane) = moved_by_lane(values, lane, *index);
        constraints.extend(of_lane);
        *index = moved;
    }
    let mut access = element_access(values, op, is_write, memref, Some(indices));
    access.constraints.extend(constraints);
    access
}

/// Access of the element that a memref has at these indices; `None` where one is not affine.
pub(super) fn element_access(
    values: &mut AffineValues,
    op: OpId,
    is_write: bool,
    memref: Value,
    indices: Option<Vec<AffineExpr>>,
) -> Access {
    let guarded = |(k, &index): (usize, &AffineExpr)| (index, values.extent(memref, k));
    let guards =
        (indices.as_ref()).map(|indices| indices.iter().enumerate().map(guarded).collect());
    let place = indices.and_then(|indices| element_place(values, op, memref, indices));
    let (place, constraints) = place.unwrap_or_else(|| {
        let root = root_of(values.ctx, values.body, memref);
        (Place::Somewhere(root), Vec::new())
    });
    Access {
        guards,
        constraints,
        ..Access::unguarded(op, is_write, place)
    }
}

/// The element of the root buffer that `memref[indices]` names for an operation, and the constraints
/// on the lanes in its coordinates; `None` where a view on the path to the root is not understood.
///
/// An element of a `memref.view` is several bytes of its source: one coordinate stands for all of
/// them, moved by an unknown lane number.
fn element_place(
    values: &mut AffineValues,
    op: OpId,
    memref: Value,
    indices: Vec<AffineExpr>,
) -> Option<(Place, Vec<Constraint>)> {
    let (ctx, body) = (values.ctx, values.body);
    let root = root_of(ctx, body, memref);
    let mut value = memref;
    let mut coords = indices;
    let mut lanes = Vec::new();
    while let Some(view) = body.defining_op(value).filter(|&view| is_view(body, view)) {
        let source = *body[view].operands.first()?;
        match body[view].name {
            memref::CAST | memref::MEMORY_SPACE_CAST | memref::ASSUME_ALIGNMENT => {
                // A cast to a less precise type keeps every element in place.
                body.ty(source).memref(ctx)?;
            }
            memref::SUBVIEW => coords = through_subview(values, SubViewOp(view), &coords)?,
            memref::VIEW => {
                let byte = first_byte(values, view, &coords)?;
                let size = element_size(ctx, body, value)?;
                let (byte, constraints) =
                    moved_by_lane(values, Atom::Lane(op, VIEW, size - 1), byte);
                coords = vec![byte];
                lanes.extend(constraints);
            }
            memref::REINTERPRET_CAST => {
                let coord = through_reinterpret_cast(values, ReinterpretCastOp(view), &coords)?;
                let place = linear_place(values, root, source, coord)?;
                return Some((place, lanes));
            }
            memref::EXPAND_SHAPE | memref::COLLAPSE_SHAPE => {
                let ty = body.ty(value).memref(ctx)?;
                let place = match linearise(ctx, ty, &coords) {
                    Some(coord) => linear_place(values, root, source, coord)?,
                    // The entry runs once.
                    None if keeps_indices_apart(ctx, ty)
                        && body.value_block(value) == body.entry() =>
                    {
                        Place::Element {
                            root,
                            space: CoordSpace::Reshaped(value),
                            coords,
                        }
                    }
                    None => return None,
                };
                return Some((place, lanes));
            }
            _ => return None,
        }
        value = source;
    }
    let ty = body.ty(value).memref(ctx)?;
    let (space, coords) = match linearise(ctx, ty, &coords) {
        _ if keeps_indices_apart(ctx, ty) => (CoordSpace::Indices, coords),
        Some(coord) => (CoordSpace::Linear, vec![coord]),
        None => (CoordSpace::Indices, tiled(ctx, ty, &coords)?),
    };
    let place = Place::Element {
        root,
        space,
        coords,
    };
    Some((place, lanes))
}

/// Subscripts of the memory that a layout map without symbols lays elements out in, such as tile
/// and place in it: the map's results, which tell elements apart as subscripts of a row-major
/// memref do.
fn tiled(ctx: &Context, ty: &MemRefType, coords: &[AffineExpr]) -> Option<Vec<AffineExpr>> {
    let AttrKind::Map(map) = ty.layout?.kind(ctx) else {
        return None;
    };
    let is_plain = map.num_symbols(ctx) == 0 && ty.strided_form(ctx).is_none();
    let results = map.results(ctx).iter();
    is_plain.then(|| {
        results
            .map(|result| result.replace(ctx, coords, &[]))
            .collect()
    })
}

/// Dimension number of the lanes that are bytes of a view's element, beyond those of vectors.
const VIEW: u32 = u32::MAX;

/// A coordinate moved by a lane number, and the constraints on it.
pub(super) fn moved_by_lane(
    values: &mut AffineValues,
    lane: Atom,
    coord: AffineExpr,
) -> (AffineExpr, Vec<Constraint>) {
    let ctx = values.ctx;
    let last = match lane {
        Atom::Lane(_, _, last) if last > 0 => ctx.affine_const(last),
        _ => return (coord, Vec::new()),
    };
    let lane = values.atom_expr(lane);
    let behind = ctx.affine_sub(last, lane);
    let constraints = [lane, behind].map(|expr| Constraint { expr, is_eq: false });
    (ctx.affine_add(coord, lane), constraints.to_vec())
}

/// Bytes of an element of a memref of scalars.
fn element_size(ctx: &Context, body: &Body, memref: Value) -> Option<i64> {
    let element = body.ty(memref).element(ctx)?;
    i64::try_from(scalar_kind(ctx, element)?.size()).ok()
}

/// The place `coord` elements into the buffer, if every view between `source`
/// and the root counts elements of one size.
fn linear_place(
    values: &AffineValues,
    root: Root,
    source: Value,
    coord: AffineExpr,
) -> Option<Place> {
    let (ctx, body) = (values.ctx, values.body);
    let mut value = source;
    while let Some(op) = body.defining_op(value).filter(|&op| is_view(body, op)) {
        if matches!(body[op].name, memref::VIEW | memref::RESHAPE) {
            return None;
        }
        value = *body[op].operands.first()?;
    }
    body.ty(value).memref(ctx)?;
    Some(Place::Element {
        root,
        space: CoordSpace::Linear,
        coords: vec![coord],
    })
}

/// Whether different in-range indices always address different elements, by the type alone: its
/// layout is row-major or a permutation of the dimensions.
pub(crate) fn keeps_indices_apart(ctx: &Context, ty: &MemRefType) -> bool {
    let Some(layout) = ty.layout else {
        return true;
    };
    let AttrKind::Map(map) = layout.kind(ctx) else {
        return false;
    };
    let mut seen = vec![false; ty.rank()];
    let results = map.results(ctx);
    for result in results {
        match result.kind(ctx) {
            AffineExprKind::Dim(d) if !seen[d as usize] => seen[d as usize] = true,
            _ => return false,
        }
    }
    results.len() == ty.rank()
}

/// Linear offset of an element in its buffer, from the strides of the memref type.
pub fn linearise(ctx: &Context, ty: &MemRefType, coords: &[AffineExpr]) -> Option<AffineExpr> {
    let (offset, strides) = ty.strided_form(ctx)?;
    if offset == DYNAMIC || strides.contains(&DYNAMIC) || strides.len() != coords.len() {
        return None;
    }
    let terms = coords.iter().zip(&strides);
    let sum = terms.fold(ctx.affine_const(offset), |sum, (&coord, &stride)| {
        ctx.affine_add(sum, ctx.affine_mul(coord, ctx.affine_const(stride)))
    });
    Some(sum)
}

/// Whether a value is a memref, ranked or unranked.
pub fn is_memref(ctx: &Context, body: &Body, value: Value) -> bool {
    matches!(
        body.ty(value).kind(ctx),
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. }
    )
}
