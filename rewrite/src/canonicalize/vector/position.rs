//! Positions of `vector.extract` and `vector.insert`: static indices and
//! operands.

use gridloom_dialects::{inherent, ub};
use gridloom_ir::body::OpData;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Context, OpId, Value};

use crate::rewriter::Rewriter;

/// An index into one dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    /// A static index.
    Known(i64),
    /// An operand.
    Value(Value),
}

impl Index {
    /// The static index, if it is one.
    pub(super) fn known(self) -> Option<i64> {
        match self {
            Index::Known(number) => Some(number),
            Index::Value(_) => None,
        }
    }
}

/// The position of an extraction or insertion whose index operands begin at
/// `first`.
pub(super) fn position(ctx: &Context, data: &OpData, first: usize) -> Option<Vec<Index>> {
    let mut values = data.operands.get(first..)?.iter();
    let numbers = data.get(ctx, inherent::STATIC_POSITION)?;
    let mut index = |number| match number {
        DYNAMIC => values.next().map(|&value| Index::Value(value)),
        number => Some(Index::Known(number)),
    };
    numbers.into_iter().map(&mut index).collect()
}

/// The position if all its indices are static.
pub(super) fn all_known(position: &[Index]) -> Option<Vec<i64>> {
    position.iter().map(|index| index.known()).collect()
}

/// Replaces vectors and position of an extraction or insertion.
pub(super) fn set(rw: &mut Rewriter, op: OpId, vectors: &[Value], position: &[Index]) {
    let numbers: Vec<i64> = position
        .iter()
        .map(|index| index.known().unwrap_or(DYNAMIC))
        .collect();
    let mut operands = vectors.to_vec();
    operands.extend(position.iter().filter_map(|&index| match index {
        Index::Known(_) => None,
        Index::Value(value) => Some(value),
    }));
    let numbers = rw.ctx.i64_array_attr(&numbers);
    rw.set_property(op, inherent::STATIC_POSITION, numbers);
    rw.set_operands(op, &operands);
}

/// Makes constant operands static if they are in bounds, or -1, the index that
/// gives poison.
pub(super) fn make_static(
    rw: &mut Rewriter,
    op: OpId,
    vectors: &[Value],
    position: &[Index],
    shape: &[i64],
) -> Option<()> {
    let cx = rw.look(op);
    let known = position
        .iter()
        .zip(shape)
        .map(|(&index, &extent)| match index {
            Index::Value(value) => match cx.int(value) {
                Some(number) if (-1..extent).contains(&number) => Index::Known(number),
                _ => index,
            },
            index => index,
        });
    let known: Vec<Index> = known.collect();
    if known == position {
        return None;
    }
    set(rw, op, vectors, &known);
    Some(())
}

/// `op ⇒ ub.poison`.
pub(super) fn replace_by_poison(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ty = rw.body().ty(rw.body()[op].result(0));
    let poison = rw.constant(ub::poison_attr(rw.ctx), ty, op);
    rw.replace_op(op, &[poison]);
    Some(())
}
