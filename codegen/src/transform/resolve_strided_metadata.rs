//! `resolve-strided-metadata`: computes offset, sizes and strides of memrefs where these are defined.
//!
//! ```text
//!                                                            %n = memref.dim %a, %c1
//! scf.parallel (%i) = (%c0) to (%h) step (%c1) {             scf.parallel (%i) = (%c0) to (%h) step (%c1) {
//!   %b, %o, %s:2, %t:2 = extract_strided_metadata %a    ⇒
//!   %p = arith.muli %i, %t#0                                   %p = arith.muli %i, %n
//!   %r = reinterpret_cast %b to offset: [%p] …                 %r = reinterpret_cast %a to offset: [%p] …
//! }                                                          }
//! ```
//!
//! Always legal: a memref has the same metadata wherever it is asked for, and a `reinterpret_cast` takes nothing but the
//! buffer of its source. Numbers of rows of elements are sizes and their products, those of subviews and reinterpreting
//! casts follow from their operands. Where neither is known, such as for an argument with open strides, the operation itself
//! moves to the definition of its memref. Loops with such numbers are affine then, and have no operation that kernels lack.
//! Launches that the program brings are left alone.

use gridloom_dialects::arith;
use gridloom_dialects::memory_space::launch_around;
use gridloom_dialects::memref::{self, DimOp, Mixed, ReinterpretCastOp, SubViewOp};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::index_values::op_behind;
use super::kernels::is_kernel;
use crate::analysis::access::kept_dimensions;

/// Limit of the views looked through; in dead code they may go round.
const MAX_VIEWS: usize = 64;

/// Resolves the metadata that a function extracts. Returns whether there was any to resolve.
pub fn resolve_metadata(ctx: &Context, body: &mut Body) -> bool {
    if is_kernel(body) {
        return false;
    }
    let mut changed = false;
    for op in body.walk_named(|name| name == memref::EXTRACT_STRIDED_METADATA) {
        if launch_around(body, op).is_none() {
            changed |= resolve(ctx, body, op);
        }
    }
    changed
}

fn resolve(ctx: &Context, body: &mut Body, op: OpId) -> bool {
    let Some(&memref) = body[op].operands.first() else {
        return false;
    };
    let (base, numbers) = (body[op].result(0), body[op].results().skip(1));
    let numbers: Vec<Value> = numbers.collect();
    let mut changed = false;
    let uses = body.uses();
    if numbers.iter().any(|&number| !uses.of(number).is_empty())
        && let Some(known) = Metadata::of(ctx, body, memref, MAX_VIEWS)
        && known.numbers().count() == numbers.len()
    {
        for (number, known) in numbers.into_iter().zip(known.numbers()) {
            body.replace_uses(number, known);
        }
        changed = true;
    }
    for user in uses.of(base) {
        if body[user.op].name == memref::REINTERPRET_CAST {
            body[user.op].operands[0] = memref;
            changed = true;
        }
    }
    changed | move_to_definition(body, op, memref)
}

/// Moves an operation right behind the definition of its memref.
fn move_to_definition(body: &mut Body, op: OpId, memref: Value) -> bool {
    match op_behind(body, memref) {
        Some(next) if next != op && body[next].parent() != body[op].parent() => {
            body.detach(op);
            body.insert_before(next, op);
            true
        }
        _ => false,
    }
}

/// Offset, sizes and strides of a memref.
struct Metadata {
    offset: Value,
    sizes: Vec<Value>,
    strides: Vec<Value>,
}

impl Metadata {
    /// The numbers in the order of the results of `memref.extract_strided_metadata`.
    fn numbers(&self) -> impl Iterator<Item = Value> {
        let lists = self.sizes.iter().chain(&self.strides);
        std::iter::once(self.offset).chain(lists.copied())
    }

    /// Emits the metadata of a memref behind its definition; `None` where only the run has it.
    fn of(ctx: &Context, body: &mut Body, memref: Value, views: usize) -> Option<Self> {
        let views = views.checked_sub(1)?;
        if body.ty(memref).memref(ctx)?.layout.is_none() {
            return Self::of_rows(ctx, body, memref);
        }
        let view = body.defining_op(memref)?;
        match body[view].name {
            memref::SUBVIEW => Self::of_subview(ctx, body, SubViewOp(view), views),
            memref::REINTERPRET_CAST => Self::of_cast(ctx, body, ReinterpretCastOp(view)),
            memref::CAST => Self::of(ctx, body, *body[view].operands.first()?, views),
            _ => None,
        }
    }

    /// Rows of elements, from the start of their buffer.
    fn of_rows(ctx: &Context, body: &mut Body, memref: Value) -> Option<Self> {
        let shape = body.ty(memref).memref(ctx)?.shape.clone();
        let next = op_behind(body, memref)?;
        let mut b = Builder::before(ctx, body, next);
        let mut sizes = Vec::new();
        for (dim, &size) in shape.iter().enumerate() {
            let number = b.index_constant(if size == DYNAMIC { dim as i64 } else { size });
            sizes.push(match size {
                DYNAMIC => DimOp::create(&mut b, memref, number),
                _ => number,
            });
        }
        let mut stride = b.index_constant(1);
        let mut strides = Vec::new();
        for (number, &size) in sizes.iter().rev().enumerate() {
            strides.push(stride);
            stride = match number {
                0 => size,
                _ => b.binary(arith::MULI, stride, size),
            };
        }
        strides.reverse();
        let offset = b.index_constant(0);
        Some(Metadata {
            offset,
            sizes,
            strides,
        })
    }

    /// `offset + Σ offsets * strides`, and strides times strides, without the dimensions dropped.
    fn of_subview(ctx: &Context, body: &mut Body, view: SubViewOp, views: usize) -> Option<Self> {
        let source = Self::of(ctx, body, view.source(body), views)?;
        let kept = kept_dimensions(ctx, body, view)?;
        let offsets = view.offsets(ctx, body);
        let (sizes, steps) = (view.sizes(ctx, body), view.strides(ctx, body));
        let next = op_behind(body, body[view.0].result(0))?;
        let mut b = Builder::before(ctx, body, next);
        let mut found = Metadata {
            offset: source.offset,
            sizes: Vec::new(),
            strides: Vec::new(),
        };
        for (dim, &stride) in source.strides.iter().enumerate() {
            let [offset, size, step] =
                [&offsets, &sizes, &steps].map(|list| list.get(dim).copied());
            let offset = value_of(&mut b, offset?);
            let reach = b.binary(arith::MULI, offset, stride);
            found.offset = b.binary(arith::ADDI, found.offset, reach);
            if kept.get(dim)?.is_some() {
                found.sizes.push(value_of(&mut b, size?));
                let step = value_of(&mut b, step?);
                found.strides.push(b.binary(arith::MULI, step, stride));
            }
        }
        Some(found)
    }

    fn of_cast(ctx: &Context, body: &mut Body, view: ReinterpretCastOp) -> Option<Self> {
        let offset = *view.offsets(ctx, body).first()?;
        let (sizes, strides) = (view.sizes(ctx, body), view.strides(ctx, body));
        let next = op_behind(body, body[view.0].result(0))?;
        let mut b = Builder::before(ctx, body, next);
        let mut values = |list: Vec<Mixed>| {
            list.into_iter()
                .map(|item| value_of(&mut b, item))
                .collect()
        };
        Some(Metadata {
            sizes: values(sizes),
            strides: values(strides),
            offset: value_of(&mut b, offset),
        })
    }
}

fn value_of(b: &mut Builder, number: Mixed) -> Value {
    match number {
        Mixed::Constant(number) => b.index_constant(number),
        Mixed::Value(value) => value,
    }
}
