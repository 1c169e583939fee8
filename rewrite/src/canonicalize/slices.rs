//! Offsets, sizes and strides of slices, each static or an operand.

use gridloom_dialects::inherent;
use gridloom_dialects::memref::Mixed;
use gridloom_ir::op::{I64ArrayAttr, Inherent};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Attr, Context, OpId, Value};

use crate::rewriter::Rewriter;

/// Offsets, sizes and strides.
pub(super) type Lists = [Vec<Mixed>; 3];

const NAMES: [Inherent<I64ArrayAttr>; 3] = [
    inherent::STATIC_OFFSETS,
    inherent::STATIC_SIZES,
    inherent::STATIC_STRIDES,
];

/// The offsets, sizes and strides of an operation; `others` operand groups
/// precede theirs.
pub(super) fn lists(rw: &Rewriter, op: OpId, others: usize) -> Option<Lists> {
    let data = &rw.body()[op];
    let list = |number: usize| {
        let constants = data.get(rw.ctx, NAMES[number])?;
        let values = data.operand_segment(rw.ctx, others + number);
        Some(Mixed::zip(&constants, values))
    };
    Some([list(0)?, list(1)?, list(2)?])
}

/// Makes constant operands static. Negative ones stay operands: they are errors
/// of the running program.
pub(super) fn known(rw: &Rewriter, op: OpId, lists: &Lists) -> Lists {
    [0, 1, 2].map(|list| known_if(rw, op, &lists[list], |number| number >= 0))
}

/// As [`known`], for a slice of something with this shape; strides may be
/// negative but not 0. A slice that would become statically out of bounds stays
/// as it is.
pub(super) fn known_inside(rw: &Rewriter, op: OpId, lists: &Lists, shape: &[i64]) -> Lists {
    let [offsets, sizes] = [0, 1].map(|list| known_if(rw, op, &lists[list], |number| number >= 0));
    let strides = known_if(rw, op, &lists[2], |number| number != 0);
    let better = [offsets, sizes, strides];
    if lies_inside(&better, shape) {
        better
    } else {
        lists.clone()
    }
}

fn known_if(rw: &Rewriter, op: OpId, list: &[Mixed], may_be: impl Fn(i64) -> bool) -> Vec<Mixed> {
    let cx = rw.look(op);
    let number = |item: &Mixed| match *item {
        Mixed::Value(value) => match cx.int(value).filter(|&number| may_be(number)) {
            Some(number) => Mixed::Constant(number),
            None => *item,
        },
        constant => constant,
    };
    list.iter().map(number).collect()
}

/// Whether a slice is not statically out of bounds.
pub(super) fn lies_inside(lists: &Lists, shape: &[i64]) -> bool {
    let number = |list: usize, dim: usize| match lists[list].get(dim) {
        Some(Mixed::Constant(number)) => Some(*number),
        _ => None,
    };
    let beyond = |dim: usize, extent: i64| {
        let (offset, size) = (number(0, dim)?, number(1, dim));
        if size == Some(0) {
            return None;
        }
        let last = || {
            let steps = (size? - 1).checked_mul(number(2, dim)?)?;
            offset.checked_add(steps)
        };
        (offset >= extent || last().is_some_and(|last| last >= extent)).then_some(())
    };
    let mut dims = shape.iter().enumerate();
    dims.all(|(dim, &extent)| extent == DYNAMIC || beyond(dim, extent).is_none())
}

/// The static entries of a list; [`DYNAMIC`] for the others.
pub(super) fn numbers(list: &[Mixed]) -> Vec<i64> {
    Mixed::unzip(list).0
}

/// The operands and inherent attributes of a slice operation whose leading
/// operands are `others`, each a group of its own.
pub(super) fn assemble(
    ctx: &Context,
    others: &[Value],
    lists: &Lists,
) -> (Vec<Value>, [(&'static str, Attr); 4]) {
    let mut operands = others.to_vec();
    let mut segments = vec![1; others.len()];
    let [offsets, sizes, strides] = [0, 1, 2].map(|list| {
        let (numbers, values) = Mixed::unzip(&lists[list]);
        segments.push(values.len() as i32);
        operands.extend(values);
        (NAMES[list].name(), ctx.i64_array_attr(&numbers))
    });
    let segments = (
        inherent::OPERAND_SEGMENT_SIZES.name(),
        ctx.i32_array_attr(&segments),
    );
    (operands, [offsets, sizes, strides, segments])
}
