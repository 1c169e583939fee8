//! `lower-memref-dma`: lowers DMA transfers of tiles inside of loops to loops.
//!
//! ```text
//! affine.for %i = 0 to 256 step 16 {              affine.for %i = 0 to 256 step 16 {
//!   %t = memref.alloc() : memref<16x16xf32, 2>      %t = memref.alloc() : memref<16x16xf32, 2>
//!   affine.dma_start %a[%i, %j], %t[0, 0],   ⇒      scf.for %x = 0 to 16 { scf.for %y = 0 to 16 {
//!     %tag[0], %c256, %c256, %c16                     %v = memref.load %a[%i + %x, %j + %y]
//!   affine.dma_wait %tag[0], %c256                    memref.store %v, %t[%x, %y] } }
//! ```
//!
//! As for [copies](super::lower_memref_copies), analyses then see which elements the loops around touch, so that
//! these can become a kernel. The elements move at the start: between start and wait, a program neither writes
//! the source nor touches the destination.
//!
//! Legal for transfers between memory that is known to be different, whose elements are known to lie in rows of both
//! sides: all of the last dimensions of one side, or, where the run computes how many elements there are, such as those of a
//! last tile, one row or whole rows of a known number of elements. All transfers of
//! a tag that only transfers use are lowered, or none; also those behind a loop, such as the last one of a pipeline.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::memory_space::{MemorySpaces, SpaceKind, launch_around};
use gridloom_dialects::memref::{LoadOp, StoreOp};
use gridloom_dialects::{affine, arith, memref};
use gridloom_ir::body::Uses;
use gridloom_ir::{AffineExpr, Body, Builder, Context, OpId, OpName, Value};

use super::dma_transfer::{Place, Transfer, least_of};
use super::kernels::is_kernel;
use super::lower_memref_copies::{Extent, is_apart, moves_a_tile, nest};
use crate::analysis::alias::{Aliases, Globals};
use crate::analysis::bounds::is_below;
use crate::analysis::budget::Budgets;
use crate::analysis::values::AffineValues;

/// Lowers the transfers of tiles of a host function. Returns whether anything changed.
pub fn lower_dma_of_tiles(ctx: &Context, body: &mut Body) -> bool {
    if !body.may_hold_any(is_start) || is_kernel(body) {
        return false;
    }
    let uses = body.uses();
    let globals = Globals::default();
    let aliases = Aliases::new(ctx, body, &globals);
    let mut values = AffineValues::new(ctx, body);
    let mut by_tag: HashMap<OpId, Option<Vec<Tile>>> = HashMap::new();
    // A tag whose transfers move no tile is one of a whole array.
    let mut of_tiles: HashSet<OpId> = HashSet::new();
    let mut tags = Vec::new();
    for op in body.walk() {
        if !is_start(body[op].name) {
            continue;
        }
        let transfer = Transfer::of(ctx, body, op);
        let tag = (transfer.as_ref()).and_then(|transfer| body.defining_op(transfer.tag.memref));
        let (Some(transfer), Some(tag)) = (transfer, tag) else {
            continue;
        };
        let ends = [transfer.source.memref, transfer.target.memref];
        if moves_a_tile(ctx, body, op) {
            of_tiles.insert(tag);
        }
        let is_legal = launch_around(body, op).is_none() && is_apart(ctx, body, &aliases, ends);
        let tile = is_legal
            .then(|| Tile::of(&mut values, op, transfer))
            .flatten();
        let tiles = by_tag.entry(tag).or_insert_with(|| {
            tags.push(tag);
            is_tag(ctx, body, &uses, tag).then(Vec::new)
        });
        *tiles = tiles.take().zip(tile).map(|(mut tiles, tile)| {
            tiles.push(tile);
            tiles
        });
    }
    let mut changed = false;
    for tag in tags.into_iter().filter(|tag| of_tiles.contains(tag)) {
        let Some(tiles) = by_tag.remove(&tag).flatten() else {
            continue;
        };
        let users: Vec<OpId> = (uses.of(body[tag].result(0)).iter())
            .map(|user| user.op)
            .collect();
        for tile in &tiles {
            tile.lower(&mut Builder::before(ctx, body, tile.op));
        }
        users.into_iter().for_each(|user| body.erase(user));
        body.erase(tag);
        changed = true;
    }
    changed
}

/// Whether an operation of this name starts a transfer.
pub(super) fn is_start(name: OpName) -> bool {
    matches!(name, memref::DMA_START | affine::DMA_START)
}

/// Whether an operation allocates a tag: memory that transfers use as such, and nothing else does.
pub(super) fn is_tag(ctx: &Context, body: &Body, uses: &Uses, op: OpId) -> bool {
    if !matches!(body[op].name, memref::ALLOC | memref::ALLOCA) {
        return false;
    }
    let value = body[op].result(0);
    let is_use = |user: OpId| match body[user].name {
        name if is_start(name) => {
            let transfer = Transfer::of(ctx, body, user);
            transfer.is_some_and(|t| ![t.source.memref, t.target.memref].contains(&value))
        }
        name => matches!(name, memref::DMA_WAIT | affine::DMA_WAIT | memref::DEALLOC),
    };
    uses.of(value).iter().all(|user| is_use(user.op))
}

/// Transfer of a tile: a nest of loops, whose counters, from the outermost one on, count its elements in order.
struct Tile {
    op: OpId,
    transfer: Transfer,
    extents: Vec<Extent>,
    /// The places of an element in source and target.
    places: [Index; 2],
}

/// The index of an element: the counters that are added to that of the first one.
enum Index {
    /// The counters are those of the last dimensions.
    Counters,
    /// The last counters, from `split` on, number the elements of a chunk, which lie side by side; the others number the
    /// chunks, which lie `step` apart along dimension `dim`.
    Chunks { split: usize, dim: usize, step: i64 },
}

/// Where the chunks of a transfer lie in a memref.
struct Chunks {
    /// Each of these is no less than the number of the chunks.
    count: Vec<AffineExpr>,
    /// Each of these is no less than the number of the elements of one.
    size: Vec<AffineExpr>,
    /// The distance of two of them in memory, in elements.
    stride: AffineExpr,
}

impl Tile {
    fn of(values: &mut AffineValues, op: OpId, transfer: Transfer) -> Option<Tile> {
        let (ctx, body) = (values.ctx, values.body);
        let spaces = MemorySpaces::default();
        let ends = [&transfer.source, &transfer.target];
        let [from, to] = ends.map(|end| spaces.of_type(ctx, body.ty(end.memref)));
        let of_host = |kind| matches!(kind, Some(SpaceKind::Host | SpaceKind::Staging));
        if of_host(from.kind) || of_host(to.kind) {
            return None;
        }
        let constant = |value| arith::constant_int(ctx, body, value).filter(|&number| number > 0);
        let stride = match transfer.stride {
            None => None,
            Some((stride, chunk)) => Some((values.expr(stride), constant(chunk)?)),
        };
        let count = arith::constant_int(ctx, body, transfer.count);
        let stride = stride.filter(|&(_, chunk)| count.is_none_or(|count| chunk < count));
        // The end with the stride is the slower one; without, either may be the tile.
        let tiles: &[usize] = match (stride, from.speed?, to.speed?) {
            (Some(_), from, to) if from == to => &[],
            (Some(_), from, to) if from > to => &[0],
            (Some(_), ..) => &[1],
            (None, ..) => &[1, 0],
        };
        let (extents, places) = match count {
            Some(count) => (tiles.iter())
                .find_map(|&tile| Tile::of_known_count(values, op, (ends, tile), count, stride))?,
            None => {
                Tile::of_computed_count(values, op, (ends, *tiles.first()?), &transfer, stride)?
            }
        };
        Some(Tile {
            op,
            transfer,
            extents,
            places,
        })
    }

    /// The loops and places of a transfer of all of the last dimensions of one end.
    fn of_known_count(
        values: &mut AffineValues,
        op: OpId,
        (ends, tile): ([&Place; 2], usize),
        count: i64,
        stride: Option<(AffineExpr, i64)>,
    ) -> Option<(Vec<Extent>, [Index; 2])> {
        let ctx = values.ctx;
        let extents = tile_extents(values, op, ends[tile], count).filter(|_| count > 0)?;
        let place = ends[1 - tile];
        let is_tile =
            stride.is_none() && tile_extents(values, op, place, count).as_ref() == Some(&extents);
        let index = if is_tile {
            Index::Counters
        } else {
            let (stride, size) = stride.unwrap_or((ctx.affine_const(0), count));
            let chunks = Chunks {
                count: vec![ctx.affine_const(count / size)],
                size: vec![ctx.affine_const(size)],
                stride,
            };
            let split =
                (0..=extents.len()).find(|&at| extents[at..].iter().product::<i64>() == size)?;
            Index::of(values, op, place, split, &chunks)?
        };
        let mut places = [index, Index::Counters];
        if tile == 0 {
            places.reverse();
        }
        Some((extents.into_iter().map(Extent::Known).collect(), places))
    }

    /// The loops and places of a transfer of a number of elements that the run computes: a row, or whole
    /// chunks of known size.
    fn of_computed_count(
        values: &mut AffineValues,
        op: OpId,
        (ends, tile): ([&Place; 2], usize),
        transfer: &Transfer,
        stride: Option<(AffineExpr, i64)>,
    ) -> Option<(Vec<Extent>, [Index; 2])> {
        let ctx = values.ctx;
        let Some((stride, size)) = stride else {
            let row = Chunks {
                count: vec![ctx.affine_const(1)],
                size: least_of(values, transfer.count),
                stride: ctx.affine_const(0),
            };
            let places = ends.map(|end| Index::of(values, op, end, 0, &row));
            let [Some(from), Some(to)] = places else {
                return None;
            };
            return Some((vec![Extent::Computed(transfer.count)], [from, to]));
        };
        let number = chunks_in(values, transfer.count, size)?;
        let mut chunks = Chunks {
            count: least_of(values, number),
            size: vec![ctx.affine_const(size)],
            stride,
        };
        if !is_exact_product(values, op, &chunks.count, size) {
            return None;
        }
        let slow = Index::of(values, op, ends[1 - tile], 1, &chunks)?;
        chunks.stride = ctx.affine_const(size);
        let mut places = [slow, Index::of(values, op, ends[tile], 1, &chunks)?];
        if tile == 0 {
            places.reverse();
        }
        Some((vec![Extent::Computed(number), Extent::Known(size)], places))
    }

    fn lower(&self, b: &mut Builder) {
        let ends = [&self.transfer.source, &self.transfer.target];
        let firsts = ends.map(|end| end.index(b));
        let counters = nest(b, &self.extents);
        let [from, to] = [0, 1].map(|end: usize| {
            self.places[end].at(b, firsts[end].clone(), (&counters, &self.extents))
        });
        let value = LoadOp::create(b, self.transfer.source.memref, &from);
        StoreOp::create(b, value, self.transfer.target.memref, &to);
    }
}

/// The number of chunks of a known size, if a count is computed as their product.
fn chunks_in(values: &AffineValues, count: Value, size: i64) -> Option<Value> {
    let (ctx, body) = (values.ctx, values.body);
    let product = body.defining_op(count)?;
    let [l, r] = body[product].operands[..] else {
        return None;
    };
    let is_size = |value| arith::constant_int(ctx, body, value) == Some(size);
    let chunks = [(l, r), (r, l)].into_iter().find(|&(_, by)| is_size(by))?;
    (body[product].name == arith::MULI).then_some(chunks.0)
}

/// Whether the product of a number, the least one of some, and a size is known not to wrap around.
fn is_exact_product(values: &mut AffineValues, op: OpId, number: &[AffineExpr], size: i64) -> bool {
    let none = values.ctx.affine_const(-1);
    let most = values.ctx.affine_const(i64::MAX / size);
    let mut budgets = Budgets::default();
    let work = budgets.of(None);
    (number.iter()).all(|&part| is_below(values, op, [none, part], work))
        && (number.iter()).any(|&part| is_below(values, op, [part, most], work))
}

/// The last dimensions of a memref, if a transfer from or to a place is all of them.
fn tile_extents(
    values: &mut AffineValues,
    op: OpId,
    place: &Place,
    count: i64,
) -> Option<Vec<i64>> {
    let ty = values.body.ty(place.memref).memref(values.ctx)?;
    let first = first_of(values, op, place)?;
    let mut size = 1_i64;
    for dim in (0..ty.rank()).rev() {
        if first[dim].as_constant(values.ctx) != Some(0) || ty.shape[dim] < 1 {
            return None;
        }
        size = size.checked_mul(ty.shape[dim])?;
        if size >= count {
            return (size == count).then(|| ty.shape[dim..].to_vec());
        }
    }
    None
}

/// The index of the first element of a transfer.
fn first_of(values: &mut AffineValues, op: OpId, place: &Place) -> Option<Vec<AffineExpr>> {
    place.exprs(values, op).into_iter().collect()
}

impl Index {
    /// The index for a place whose chunks are known to be in range.
    fn of(
        values: &mut AffineValues,
        op: OpId,
        place: &Place,
        split: usize,
        chunks: &Chunks,
    ) -> Option<Index> {
        let ctx = values.ctx;
        let ty = values.body.ty(place.memref).memref(ctx)?;
        let (_, strides) = ty.strided_form(ctx)?;
        let last = ty.rank().checked_sub(1)?;
        if strides[last] != 1 {
            return None;
        }
        let (dim, step) = match split {
            0 => (last, 0),
            _ => (0..=last).find_map(|dim| Some((dim, step_along(values, place, dim, chunks)?)))?,
        };
        let less_one = |exprs: &[AffineExpr], by: i64| -> Vec<AffineExpr> {
            let minus_one = ctx.affine_const(-1);
            let scaled = exprs
                .iter()
                .map(|&expr| ctx.affine_mul(ctx.affine_add(expr, minus_one), ctx.affine_const(by)));
            scaled.collect()
        };
        let (far, wide) = (less_one(&chunks.count, step), less_one(&chunks.size, 1));
        // All elements of a transfer lie between the first and the last one of its memref.
        let is_inside = ty.rank() == 1
            || match dim == last {
                true => {
                    let ends = far
                        .iter()
                        .flat_map(|&far| wide.iter().map(move |&wide| ctx.affine_add(far, wide)));
                    let ends: Vec<AffineExpr> = ends.collect();
                    is_in_range(values, op, place, last, &ends)
                }
                false => {
                    is_in_range(values, op, place, last, &wide)
                        && is_in_range(values, op, place, dim, &far)
                }
            };
        is_inside.then_some(Index::Chunks { split, dim, step })
    }

    /// Emits the index of the element that `counters` number, from that of the first one.
    fn at(
        &self,
        b: &mut Builder,
        mut index: Vec<Value>,
        (counters, extents): (&[Value], &[Extent]),
    ) -> Vec<Value> {
        let rank = index.len();
        match *self {
            Index::Counters => {
                let skipped = rank - counters.len();
                for (place, &counter) in index[skipped..].iter_mut().zip(counters) {
                    *place = b.binary(arith::ADDI, *place, counter);
                }
            }
            Index::Chunks { split, dim, step } => {
                let (outer, inner) = (0..split, split..counters.len());
                for (dim, step, range) in [(dim, step, outer), (rank - 1, 1, inner)] {
                    let mut number: Option<Value> = None;
                    for at in range {
                        let rest = number.map(|number| {
                            let extent = extents[at].value(b);
                            b.binary(arith::MULI, number, extent)
                        });
                        number = Some(match rest {
                            Some(rest) => b.binary(arith::ADDI, rest, counters[at]),
                            None => counters[at],
                        });
                    }
                    if let Some(mut far) = number {
                        if step != 1 {
                            let step = b.index_constant(step);
                            far = b.binary(arith::MULI, far, step);
                        }
                        index[dim] = b.binary(arith::ADDI, index[dim], far);
                    }
                }
            }
        }
        index
    }
}

/// The distance of chunks along a dimension, if each lies in it behind the one before.
fn step_along(
    values: &mut AffineValues,
    place: &Place,
    dim: usize,
    chunks: &Chunks,
) -> Option<i64> {
    let ctx = values.ctx;
    let ty = values.body.ty(place.memref).memref(ctx)?;
    let (_, strides) = ty.strided_form(ctx)?;
    if let Some(stride) = chunks.stride.as_constant(ctx) {
        let is_multiple = stride > 0 && strides[dim] > 0 && stride % strides[dim] == 0;
        return is_multiple.then(|| stride / strides[dim]);
    }
    let is_row = ty.layout.is_none() && dim + 2 == ty.rank();
    let is_next_row = is_row && values.extent(place.memref, dim + 1) == chunks.stride;
    is_next_row.then_some(1)
}

/// Whether an index along a dimension is in range up to one of these distances behind that of the first element.
fn is_in_range(
    values: &mut AffineValues,
    op: OpId,
    place: &Place,
    dim: usize,
    ends: &[AffineExpr],
) -> bool {
    let ctx = values.ctx;
    let Some(first) = first_of(values, op, place).map(|first| first[dim]) else {
        return false;
    };
    let extent = values.extent(place.memref, dim);
    let mut budgets = Budgets::default();
    let work = budgets.of(None);
    is_below(values, op, [ctx.affine_const(-1), first], work)
        && (ends.iter())
            .any(|&end| is_below(values, op, [ctx.affine_add(first, end), extent], work))
}
