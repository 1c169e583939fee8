//! `vector.shuffle`: folds those that give one operand, repeat one scalar, or
//! interleave both operands.
//!
//! ```text
//! shuffle %v, %w [0, 1]        ⇒  %v
//! shuffle %v, %w [0, 2, 1, 3]  ⇒  interleave %v, %w
//! ```

use gridloom_dialects::{inherent, vector};
use gridloom_ir::{OpId, Value};

use super::super::build::remake;
use super::{splatted, vector_of};
use crate::rewriter::Rewriter;

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [first, second] = rw.look(op).operands()?;
    let mask = rw.body()[op].get(rw.ctx, inherent::SHUFFLE_MASK)?;
    let shapes = [first, second].map(|value| vector_of(rw, value));
    let (a, b) = (shapes[0]?, shapes[1]?);
    let rows = |shape: &[i64]| shape.first().copied().unwrap_or(1);
    let length = rows(a.shape);
    let counts_from = |start: i64| mask.iter().zip(start..).all(|(&picked, row)| picked == row);
    let result = rw.body().ty(rw.body()[op].result(0));
    for (value, start) in [(first, 0), (second, length)] {
        if counts_from(start) && rw.body().ty(value) == result {
            rw.replace_op(op, &[value]);
            return Some(());
        }
    }
    if a.rank() == 0 && matches!(mask[..], [0 | 1]) {
        let picked = [first, second][mask[0] as usize];
        return remake(rw, op, vector::BROADCAST, &[picked], &[]);
    }
    if let Some(scalar) = same_scalar(rw, op, first, second) {
        return remake(rw, op, vector::BROADCAST, &[scalar], &[]);
    }
    let in_turn = |(index, &picked): (usize, &i64)| {
        let row = (index / 2) as i64;
        picked == if index % 2 == 0 { row } else { row + length }
    };
    let alike = a.shape == b.shape && a.rank() < 2 && mask.len() as i64 == 2 * length;
    (alike && mask.iter().enumerate().all(in_turn))
        .then(|| remake(rw, op, vector::INTERLEAVE, &[first, second], &[]))?
}

/// The scalar that both vectors repeat.
fn same_scalar(rw: &Rewriter, op: OpId, first: Value, second: Value) -> Option<Value> {
    let scalar = splatted(rw, op, first)?;
    (splatted(rw, op, second)? == scalar).then_some(scalar)
}
