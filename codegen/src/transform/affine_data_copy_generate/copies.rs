//! Copies between a memref and a buffer, by loops or by transfers.
//!
//! ```text
//! for %x = max(first, 0) to min(first + extent, size) { %f[%x - first] = %a[%x] }
//!
//! affine.dma_start %a[first], %f[0], %tag[0], count, stride, chunk
//! affine.dma_wait %tag[0], count
//! ```
//!
//! The bounds have the extremum where the box is not known to be in the memref. A transfer covers
//! the innermost contiguous dimensions, and of the next one a piece every `stride` elements; loops
//! go over the dimensions around.

use gridloom_dialects::affine::{self, Access, Bound, ForOp, LoadOp, StoreOp};
use gridloom_dialects::{gridloom, inherent, memref};
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{
    AffineExpr, AffineMap, Body, Builder, Context, InsertPoint, OpId, TypeKind, Value,
};

use super::DataCopyOptions;
use super::region::Side;
use crate::analysis::values::AffineValues;
use crate::transform::emit_loops::{MapWithOperands, bound, close, go_behind};
use crate::transform::joint_bounds::JointBounds;
use crate::transform::raise_to_affine::operands::{Mapped, mapped};

/// Fast-memory buffer of a memref around a loop.
pub(in crate::transform) struct Buffer {
    l: ForOp,
    /// The operation before which the buffer is allocated, and behind which it is freed: the loop or one around it.
    pub(in crate::transform) anchor: OpId,
    memref: Value,
    /// The accesses to redirect to the buffer.
    pub(in crate::transform) touches: Vec<OpId>,
    pub(super) copies_in: bool,
    pub(in crate::transform) copies_out: bool,
    /// Size of the buffer, if known.
    pub(super) bytes: Option<u64>,
    extents: Vec<i64>,
    /// The first index of each dimension.
    firsts: Mapped,
    /// Lower and upper bound of the indices of each dimension.
    bounds: Vec<[Mapped; 2]>,
    transfer: Option<Transfer>,
}

/// DMA transfer of the innermost dimensions of a box.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Transfer {
    /// Number of outer dimensions, which loops cover.
    loops: usize,
    /// Elements of the transfer.
    count: i64,
    /// Distance from one contiguous piece to the next, and length of a piece, in elements.
    stride: Option<(i64, i64)>,
}

/// The transfer that copies a box, if one can: the box consists of contiguous pieces that are known
/// to be in the memref.
pub(super) fn transfer_of(
    ctx: &Context,
    body: &Body,
    memref: Value,
    sides: &[Side],
    options: &DataCopyOptions,
    element_bytes: Option<u64>,
) -> Option<Transfer> {
    let ty = body.ty(memref).memref(ctx)?;
    if ty.layout.is_some() {
        return None;
    }
    let is_known = |side: &Side| side.starts_inside && side.ends_inside;
    let mut loops = sides.len();
    let (mut count, mut pitch) = (1i64, 1i64);
    let mut stride = None;
    while let Some((side, &size)) = loops
        .checked_sub(1)
        .and_then(|dim| sides.get(dim).zip(ty.shape.get(dim)))
    {
        if !is_known(side) || stride.is_some() {
            break;
        }
        // The inner dimensions have to cover whole rows, else there are gaps.
        if count != pitch && side.extent > 1 {
            // The stride applies to the slower memory.
            if options.slow_space >= options.fast_space {
                break;
            }
            stride = Some((pitch, count));
        }
        count = count.checked_mul(side.extent)?;
        loops -= 1;
        match size {
            DYNAMIC => break,
            size => pitch = pitch.checked_mul(size)?,
        }
    }
    let bytes = element_bytes.and_then(|bytes| bytes.checked_mul(count.unsigned_abs()));
    let is_large =
        options.min_transfer == 0 || bytes.is_some_and(|bytes| bytes >= options.min_transfer);
    (is_large && (loops < sides.len() || sides.is_empty())).then_some(Transfer {
        loops,
        count,
        stride,
    })
}

impl Buffer {
    /// Plans the buffer of a box; `None` if its bounds cannot be computed in front of the loop.
    pub(in crate::transform) fn new(
        values: &mut AffineValues,
        l: ForOp,
        memref: Value,
        sides: &[Side],
        transfer: Option<Transfer>,
    ) -> Option<Buffer> {
        let ctx = values.ctx;
        let firsts: Vec<AffineExpr> = sides.iter().map(|side| side.first).collect();
        let mut bounds = Vec::new();
        for (dim, side) in sides.iter().enumerate() {
            let mut lower = vec![side.first];
            if !side.starts_inside {
                lower.push(ctx.affine_const(0));
            }
            let mut upper = vec![match side.extent {
                DYNAMIC => values.extent(memref, dim),
                extent => ctx.affine_add(side.first, ctx.affine_const(extent)),
            }];
            if !side.ends_inside {
                upper.push(values.extent(memref, dim));
            }
            let [least, most] = side.range;
            lower.extend(least);
            upper.extend(most.map(|most| ctx.affine_add(most, ctx.affine_const(1))));
            let form = |exprs: &[AffineExpr]| mapped(values, &Default::default(), l.0, exprs).ok();
            bounds.push([form(&lower)?, form(&upper)?]);
        }
        Some(Buffer {
            l,
            anchor: l.0,
            memref,
            touches: Vec::new(),
            copies_in: true,
            copies_out: true,
            bytes: None,
            extents: sides.iter().map(|side| side.extent).collect(),
            firsts: mapped(values, &Default::default(), l.0, &firsts).ok()?,
            bounds,
            transfer,
        })
    }

    /// Makes the buffer in memory space `fast_space`, with tags in `tag_space`.
    pub(in crate::transform) fn apply(
        &self,
        ctx: &Context,
        body: &mut Body,
        [fast_space, tag_space]: [i64; 2],
    ) {
        let mut b = Builder::before(ctx, body, self.l.0);
        let firsts = (self.firsts.map(ctx), self.firsts.operands(&mut b));
        let bounds: Vec<[MapWithOperands; 2]> = (self.bounds.iter())
            .map(|pair| [&pair[0], &pair[1]].map(|side| (side.map(ctx), side.operands(&mut b))))
            .collect();
        b.set(InsertPoint::Before(self.anchor));
        let fast = self.allocate(&mut b, fast_space);
        let tag = self.transfer.map(|_| {
            let ty = memref_type(ctx, &[1], ctx.int_type(32), tag_space);
            memref::AllocOp::create(&mut b, ty, &[])
        });
        b.set(InsertPoint::Before(self.l.0));
        let copy = Copy {
            buffer: self,
            firsts: &firsts,
            bounds: &bounds,
            fast,
            tag,
        };
        if self.copies_in {
            copy.write(&mut b, true);
        }
        for &op in &self.touches {
            redirect(&mut b, op, fast, (&firsts.0, &firsts.1));
        }
        go_behind(&mut b, self.l.0);
        if self.copies_out {
            copy.write(&mut b, false);
        }
        if self.anchor != self.l.0 {
            go_behind(&mut b, self.anchor);
        }
        for memory in tag.into_iter().chain([fast]) {
            b.create(b.state(memref::DEALLOC).operands(&[memory]));
        }
    }

    fn allocate(&self, b: &mut Builder, space: i64) -> Value {
        let ctx = b.ctx;
        let element = b.body.ty(self.memref).element(ctx);
        // A verified access has a memref.
        let element = element.unwrap_or_else(|| ctx.index_type());
        let sizes = memref::open_extents(b, self.memref, &self.extents);
        let ty = memref_type(ctx, &self.extents, element, space);
        memref::AllocOp::create(b, ty, &sizes)
    }
}

fn memref_type(
    ctx: &Context,
    shape: &[i64],
    element: gridloom_ir::Type,
    space: i64,
) -> gridloom_ir::Type {
    ctx.intern_type(TypeKind::MemRef(MemRefType {
        shape: shape.into(),
        element,
        layout: None,
        space: (space != 0).then(|| ctx.i64_attr(space)),
    }))
}

/// Redirects an access to the buffer: its subscripts count from the first indices.
fn redirect(b: &mut Builder, op: OpId, fast: Value, (map, operands): (&AffineMap, &[Value])) {
    let ctx = b.ctx;
    let Some(access) = Access::cast(b.body, op) else {
        return;
    };
    let own = Bound {
        map: access.map(ctx, b.body),
        operands: access.operands(b.body),
    };
    let firsts = Bound {
        map: *map,
        operands,
    };
    let joint = JointBounds::of(ctx, &[own, firsts]);
    let results: Vec<AffineExpr> = (joint.exprs[0].iter().zip(&joint.exprs[1]))
        .map(|(&index, &first)| joint.difference(ctx, index, first))
        .collect();
    let (map, operands) = joint.compact(ctx, &results);
    let place = usize::from(access.is_store);
    let mut all = b.body[op].operands[..place].to_vec();
    all.push(fast);
    all.extend(operands);
    b.body[op].operands = all.into_iter().collect();
    b.body[op].set_property(ctx, inherent::MAP, ctx.map_attr(map));
    // The in-bounds flag was proved for the original memref.
    gridloom::set_in_bounds(ctx, &mut b.body[op], false);
}

/// Copy between memref and buffer, with the operands of its maps.
struct Copy<'a> {
    buffer: &'a Buffer,
    firsts: &'a MapWithOperands,
    bounds: &'a [[MapWithOperands; 2]],
    fast: Value,
    tag: Option<Value>,
}

impl Copy<'_> {
    /// Emits a copy into the buffer, or out of it, and moves the insertion point behind it.
    fn write(&self, b: &mut Builder, is_in: bool) {
        let rank = self.buffer.extents.len();
        let depth = self.buffer.transfer.map_or(rank, |transfer| transfer.loops);
        let mut loops = Vec::new();
        for [lower, upper] in &self.bounds[..depth] {
            let l = ForOp::create(b, bound(lower), bound(upper), 1, &[]);
            let block = l.block(b.body);
            b.set(InsertPoint::End(block));
            loops.push(l);
        }
        let counters: Vec<Value> = loops.iter().map(|l| l.induction_var(b.body)).collect();
        let (slow, fast) = self.places(b.ctx, &counters);
        let memref = self.buffer.memref;
        match self.buffer.transfer.zip(self.tag) {
            Some((transfer, tag)) => {
                let sides = [(memref, &slow), (self.fast, &fast)];
                let [source, target] = if is_in { sides } else { [sides[1], sides[0]] };
                write_transfer(b, source, target, tag, transfer);
            }
            None if is_in => {
                let value = LoadOp::create(b, memref, slow.0, &slow.1);
                StoreOp::create(b, value, self.fast, fast.0, &fast.1);
            }
            None => {
                let value = LoadOp::create(b, self.fast, fast.0, &fast.1);
                StoreOp::create(b, value, memref, slow.0, &slow.1);
            }
        }
        for l in loops.into_iter().rev() {
            close(b, l, &[]);
        }
    }

    /// The elements of memref and buffer to copy at these counters; dimensions without a counter
    /// are at their first index.
    fn places(&self, ctx: &Context, counters: &[Value]) -> (MapWithOperands, MapWithOperands) {
        let counted = Bound {
            map: ctx.identity_map(counters.len() as u32),
            operands: counters,
        };
        let joint = JointBounds::of(ctx, &[counted, bound(self.firsts)]);
        let (mut slow, mut fast) = (Vec::new(), Vec::new());
        for (dim, &first) in joint.exprs[1].iter().enumerate() {
            match joint.exprs[0].get(dim) {
                Some(&counter) => {
                    slow.push(counter);
                    fast.push(joint.difference(ctx, counter, first));
                }
                None => {
                    slow.push(first);
                    fast.push(ctx.affine_const(0));
                }
            }
        }
        (joint.compact(ctx, &slow), joint.compact(ctx, &fast))
    }
}

/// Emits a transfer and the wait for it.
fn write_transfer(
    b: &mut Builder,
    source: (Value, &MapWithOperands),
    target: (Value, &MapWithOperands),
    tag: Value,
    transfer: Transfer,
) {
    let ctx = b.ctx;
    let tag_map = ctx.affine_map(0, 0, &[ctx.affine_const(0)]);
    let count = b.index_constant(transfer.count);
    let mut operands = Vec::new();
    for (memref, form) in [source, target] {
        operands.push(memref);
        operands.extend(&form.1);
    }
    operands.extend([tag, count]);
    if let Some((stride, piece)) = transfer.stride {
        operands.extend([b.index_constant(stride), b.index_constant(piece)]);
    }
    let start = b.create(b.state(affine::DMA_START).operands(&operands));
    let maps = [
        ("src_map", source.1.0),
        ("dst_map", target.1.0),
        ("tag_map", tag_map),
    ];
    for (name, map) in maps {
        b.body[start].set_attribute(ctx, name, ctx.map_attr(map));
    }
    let wait = b.create(b.state(affine::DMA_WAIT).operands(&[tag, count]));
    b.body[wait].set_attribute(ctx, inherent::TAG_MAP, ctx.map_attr(tag_map));
}
