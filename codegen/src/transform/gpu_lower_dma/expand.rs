//! Lowering of one transfer to a loop, and the memory of transfers as rows of elements.

use std::collections::HashMap;

use gridloom_dialects::gpu::{self, Dimension, IdOp};
use gridloom_dialects::memref::{self, LoadOp, Mixed, ReinterpretCastOp, StoreOp};
use gridloom_dialects::{arith, scf, vector};
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{Builder, InsertPoint, OpId, TypeKind, Value};

use super::flow::Mover;
use super::{Block, Start};
use crate::transform::dma_transfer::Place;
use crate::transform::vector_elements::{from_elements, to_elements};

/// Limit of the elements that a thread moves for itself without a loop.
const MAX_UNROLLED: i64 = 16;

/// Memory as a row of elements, with the first element of a transfer.
pub(super) struct Row {
    pub(super) memref: Value,
    pub(super) first: Value,
}

/// The chunks of a strided transfer: their stride and their length, in elements.
pub(super) struct Spread(Option<(Value, Value)>);

impl Spread {
    /// Emits what the chunks of a start need.
    pub(super) fn of(b: &mut Builder, start: &Start) -> Spread {
        Spread(start.stride.map(|(stride, chunk)| {
            // A chunk has at least one element, or the transfer moves none.
            let one = b.index_constant(1);
            (stride, b.binary(arith::MAXSI, chunk, one))
        }))
    }

    /// Emits the distance of an element from the first one, on the side with the chunks.
    pub(super) fn position(&self, b: &mut Builder, element: Value) -> Value {
        let Some((stride, chunk)) = self.0 else {
            return element;
        };
        let number = b.binary(arith::DIVUI, element, chunk);
        let rest = b.binary(arith::REMUI, element, chunk);
        let far = b.binary(arith::MULI, number, stride);
        b.binary(arith::ADDI, far, rest)
    }
}

/// Emits what moves the elements of a start, `width` adjacent ones at once, in front of it: a loop, or
/// for few elements of a single thread each by itself, so that its memory may become registers.
pub(super) fn expand(
    b: &mut Builder,
    (number, start): (usize, &Start),
    (block, width): (Block, i64),
    movers: &mut HashMap<OpId, Mover>,
) {
    let sides = Sides {
        source: row(b, &start.source),
        target: row(b, &start.target),
        chunks: Spread::of(b, start),
        source_strided: start.source_strided,
        width,
    };
    let count = arith::constant_int(b.ctx, b.body, start.count);
    if let Some(count) = count.filter(|&count| !start.group && count <= MAX_UNROLLED) {
        for element in 0..count {
            let element = b.index_constant(element);
            sides.copy(b, element);
        }
        return;
    }
    let (first, step) = match start.group {
        true => thread(b, block),
        false => (b.index_constant(0), b.index_constant(1)),
    };
    let [first, step] = [first, step].map(|number| times(b, number, width));
    let each = scf::ForOp::create(b, first, start.count, step, &[]);
    let block = each.block(b.body);
    let Some(&element) = b.body[block].args.first() else {
        return;
    };
    let outside = b.point();
    b.set(InsertPoint::End(block));
    let accesses = sides.copy(b, element);
    if start.group {
        let accesses = accesses.into_iter().flatten();
        movers.extend(accesses.map(|op| (op, Mover::Start(number))));
    }
    b.set(outside);
    scf::yield_values(b, block, &[]);
}

/// Emits the product of a number and a constant.
pub(super) fn times(b: &mut Builder, number: Value, by: i64) -> Value {
    if by == 1 {
        return number;
    }
    let by = b.index_constant(by);
    b.binary(arith::MULI, number, by)
}

/// Both sides of a transfer.
struct Sides {
    source: Row,
    target: Row,
    chunks: Spread,
    source_strided: bool,
    width: i64,
}

impl Sides {
    /// Emits the load and the store that move the elements from the one of a number on.
    fn copy(&self, b: &mut Builder, element: Value) -> [Option<OpId>; 2] {
        let spread = self.chunks.position(b, element);
        let (from, to) = match self.source_strided {
            true => (spread, element),
            false => (element, spread),
        };
        let from = b.binary(arith::ADDI, self.source.first, from);
        let (load, values) = read(b, (self.source.memref, from), self.width);
        let to = b.binary(arith::ADDI, self.target.first, to);
        let store = write(b, &values, (self.target.memref, to));
        [load, Some(store)]
    }
}

/// Emits a load of adjacent elements of a row. Returns it and the elements.
pub(super) fn read(
    b: &mut Builder,
    (memref, from): (Value, Value),
    width: i64,
) -> (Option<OpId>, Vec<Value>) {
    let element = b.body.ty(memref).element(b.ctx).filter(|_| width > 1);
    let Some(element) = element else {
        let value = LoadOp::create(b, memref, &[from]);
        return (b.body.defining_op(value), vec![value]);
    };
    let ty = b.ctx.vector_type(&[width], element);
    let state = b.state(vector::LOAD).operands(&[memref, from]);
    let load = b.create(state.results(&[ty]));
    let whole = b.body[load].result(0);
    (Some(load), to_elements(b, whole))
}

/// Emits a store of adjacent elements of a row.
pub(super) fn write(b: &mut Builder, values: &[Value], (memref, to): (Value, Value)) -> OpId {
    if let &[value] = values {
        return StoreOp::create(b, value, memref, &[to]).0;
    }
    let element = b.body.ty(values[0]);
    let ty = b.ctx.vector_type(&[values.len() as i64], element);
    let whole = from_elements(b, values, ty);
    b.create(b.state(vector::STORE).operands(&[whole, memref, to]))
}

/// Emits the linear id of the thread in its workgroup, and the number of threads. The sizes of the
/// workgroup are constants where they are known.
pub(super) fn thread(b: &mut Builder, block: Block) -> (Value, Value) {
    let Some(sizes) = block else {
        let [x, y, z] = Dimension::ALL.map(|dim| IdOp::create(b, gpu::THREAD_ID, dim));
        let [width, height, depth] = Dimension::ALL.map(|dim| IdOp::create(b, gpu::BLOCK_DIM, dim));
        let number = arith::linearize(b, z, &[(height, y), (width, x)]);
        let plane = b.binary(arith::MULI, width, height);
        return (number, b.binary(arith::MULI, plane, depth));
    };
    let mut number: Option<Value> = None;
    for (dim, size) in Dimension::ALL.into_iter().zip(sizes).rev() {
        if size == 1 {
            continue;
        }
        let id = IdOp::create(b, gpu::THREAD_ID, dim);
        number = Some(match number {
            Some(outer) => {
                let size = b.index_constant(size);
                arith::linearize(b, outer, &[(size, id)])
            }
            None => id,
        });
    }
    let number = number.unwrap_or_else(|| b.index_constant(0));
    (number, b.index_constant(sizes.iter().product()))
}

/// Emits the row view of a place's memory, from the memref's first element to its last.
pub(super) fn row(b: &mut Builder, place: &Place) -> Row {
    let ctx = b.ctx;
    let Some((shape, first)) = shape_and_first(b, place) else {
        // Transfers of other memory are not lowered.
        let first = b.index_constant(0);
        return Row {
            memref: place.memref,
            first,
        };
    };
    let fixed = |mixed: Mixed| match mixed {
        Mixed::Constant(value) => value,
        Mixed::Value(_) => DYNAMIC,
    };
    let (length, offset) = (fixed(shape.length), fixed(shape.offset));
    let ty = b.body.ty(place.memref);
    let result = ty.memref(ctx).map(|ty| MemRefType {
        shape: [length].into(),
        layout: (offset != 0).then(|| ctx.strided_attr(offset, &[1])),
        ..ty.clone()
    });
    let result = result.map_or(ty, |result| ctx.intern_type(TypeKind::MemRef(result)));
    let lists: [&[Mixed]; 3] = [&[shape.offset], &[shape.length], &[Mixed::Constant(1)]];
    let memref = ReinterpretCastOp::create(b, shape.base, lists, result);
    Row { memref, first }
}

/// Emits the position of a place in the buffer that its memref is a view of.
pub(super) fn position(b: &mut Builder, place: &Place) -> Value {
    match shape_and_first(b, place) {
        Some((shape, first)) => {
            let offset = value(b, shape.offset);
            b.binary(arith::ADDI, offset, first)
        }
        None => b.index_constant(0),
    }
}

/// Emits the row view of a whole buffer of constant size without a layout.
pub(super) fn flat(b: &mut Builder, memref: Value) -> Value {
    let ctx = b.ctx;
    let known = b.body.ty(memref).memref(ctx).cloned();
    let Some(ty) = known.filter(|ty| ty.rank() != 1) else {
        return memref;
    };
    let Some(length) = ty.num_elements() else {
        return memref;
    };
    let result = ctx.intern_type(TypeKind::MemRef(MemRefType {
        shape: [length].into(),
        ..ty
    }));
    let one = |value| [Mixed::Constant(value)];
    ReinterpretCastOp::create(b, memref, [&one(0), &one(length), &one(1)], result)
}

/// Emits the layout of a place's memref, and the distance of the place from its first element.
fn shape_and_first(b: &mut Builder, place: &Place) -> Option<(Shape, Value)> {
    let ctx = b.ctx;
    let index = place.index(b);
    let ty = b.body.ty(place.memref).memref(ctx).cloned()?;
    let (offset, strides) = ty.strided_form(ctx)?;
    let known = |list: &[i64]| !list.contains(&DYNAMIC);
    let shape = match offset != DYNAMIC && known(&strides) && known(&ty.shape) {
        true => Shape::known(place.memref, offset, &ty.shape, &strides),
        false => Shape::asked(b, place.memref, &ty),
    };
    let mut first = b.index_constant(0);
    for (index, stride) in index.into_iter().zip(&shape.strides) {
        let stride = value(b, *stride);
        let far = b.binary(arith::MULI, index, stride);
        first = b.binary(arith::ADDI, first, far);
    }
    Some((shape, first))
}

fn value(b: &mut Builder, mixed: Mixed) -> Value {
    match mixed {
        Mixed::Constant(value) => b.index_constant(value),
        Mixed::Value(value) => value,
    }
}

/// Strided layout of a memref: base, offset, sizes, strides.
struct Shape {
    base: Value,
    offset: Mixed,
    strides: Vec<Mixed>,
    /// Distance from the first to behind the last element.
    length: Mixed,
}

impl Shape {
    /// The layout of a memref type without dynamic parts.
    fn known(memref: Value, offset: i64, sizes: &[i64], strides: &[i64]) -> Self {
        let spans = sizes.iter().zip(strides);
        let reach = spans.fold(0i64, |reach, (&size, &stride)| {
            reach.saturating_add((size - 1).saturating_mul(stride))
        });
        let length = match sizes.contains(&0) {
            true => 0,
            false => reach.saturating_add(1).max(0),
        };
        Shape {
            base: memref,
            offset: Mixed::Constant(offset),
            strides: strides.iter().copied().map(Mixed::Constant).collect(),
            length: Mixed::Constant(length),
        }
    }

    /// Emits the layout of a memref from its run-time metadata.
    fn asked(b: &mut Builder, memref: Value, ty: &MemRefType) -> Self {
        let ctx = b.ctx;
        let buffer = ctx.intern_type(TypeKind::MemRef(MemRefType {
            shape: [].into(),
            layout: None,
            ..ty.clone()
        }));
        let mut types = vec![ctx.index_type(); 2 + 2 * ty.rank()];
        types[0] = buffer;
        let state = b.state(memref::EXTRACT_STRIDED_METADATA);
        let op = b.create(state.operands(&[memref]).results(&types));
        let results: Vec<Value> = b.body[op].results().collect();
        let (sizes, strides) = results[2..].split_at(ty.rank());
        let one = b.index_constant(1);
        let mut length = one;
        for (&size, &stride) in sizes.iter().zip(strides) {
            let steps = b.binary(arith::SUBI, size, one);
            let reach = b.binary(arith::MULI, steps, stride);
            length = b.binary(arith::ADDI, length, reach);
        }
        // An empty memref has no element in range.
        let zero = b.index_constant(0);
        let length = b.binary(arith::MAXSI, length, zero);
        Shape {
            base: results[0],
            offset: Mixed::Value(results[1]),
            strides: strides.iter().copied().map(Mixed::Value).collect(),
            length: Mixed::Value(length),
        }
    }
}
