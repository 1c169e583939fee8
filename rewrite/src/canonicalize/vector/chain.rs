//! Follows `vector.extract` through chains of insertions and transpositions.
//!
//! ```text
//! %a = transpose %v, [1, 0]
//! %b = insert %x, %a[2, 1]       extract %c[0]  ⇒  extract %v[0]
//! %c = transpose %b, [1, 0]
//! ```

use gridloom_dialects::{inherent, vector};
use gridloom_ir::{OpId, Value};

use super::extract::take;
use super::position::{Index, all_known, position};
use super::vector_of;
use crate::rewriter::Rewriter;

/// The bound on links followed; a longer chain stays as it is.
const MAX_LINKS: usize = 64;

/// Cover of a dimension of the current vector by the extraction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dim {
    /// At this index.
    At(i64),
    /// Completely; it becomes this dimension of the result.
    Whole(usize),
}

/// Walks from `source` through insertions and transpositions to the vector that
/// holds the extracted elements, and extracts from it if its dimensions are in
/// order there.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId, source: Value, at: &[Index]) -> Option<()> {
    let at = all_known(at)?;
    let rank = vector_of(rw, source)?.rank();
    let rest = (0..rank.checked_sub(at.len())?).map(Dim::Whole);
    let mut dims: Vec<Dim> = at.iter().map(|&index| Dim::At(index)).chain(rest).collect();
    let mut from = source;
    for _ in 0..MAX_LINKS {
        let Some(maker) = rw.body().defining_op(from) else {
            break;
        };
        let data = &rw.body()[maker];
        let &first = data.operands.first()?;
        match data.name {
            vector::TRANSPOSE => {
                let permutation = data.get(rw.ctx, inherent::TRANSPOSITION)?;
                let mut before = dims.clone();
                for (&dim, &to) in permutation.iter().zip(&dims) {
                    *before.get_mut(usize::try_from(dim).ok()?)? = to;
                }
                (dims, from) = (before, first);
            }
            vector::INSERT => {
                let inserted = all_known(&position(rw.ctx, data, 2)?)?;
                match overlap(&dims, &inserted) {
                    Some(true) => {
                        dims.drain(..inserted.len());
                        return extract_from(rw, op, first, &dims);
                    }
                    Some(false) => from = *data.operands.get(1)?,
                    None => return None,
                }
            }
            _ => break,
        }
    }
    extract_from(rw, op, from, &dims)
}

/// Whether the extracted elements lie in the inserted ones (`Some(true)`),
/// disjoint from them (`Some(false)`), or overlap them (`None`).
fn overlap(dims: &[Dim], inserted: &[i64]) -> Option<bool> {
    let pairs = || dims.iter().zip(inserted);
    if pairs().any(|(dim, &at)| matches!(*dim, Dim::At(index) if index != at)) {
        return Some(false);
    }
    pairs()
        .all(|(dim, &at)| *dim == Dim::At(at))
        .then_some(true)
}

/// Extracts from `from` if the dimensions taken completely are the last ones,
/// in order.
fn extract_from(rw: &mut Rewriter, op: OpId, from: Value, dims: &[Dim]) -> Option<()> {
    let index = |dim: &Dim| match *dim {
        Dim::At(index) => Some(Index::Known(index)),
        Dim::Whole(_) => None,
    };
    let at: Vec<Index> = dims.iter().map_while(index).collect();
    let rest = dims[at.len()..].iter().enumerate();
    let in_order = { rest }.all(|(number, &dim)| dim == Dim::Whole(number));
    // Without progress, the rewrite would fire forever.
    let moves = rw.body()[op].operands.first() != Some(&from);
    (in_order && moves).then(|| take(rw, op, from, &at))?
}
