//! `vector.extract`: looks through the operation that defines its operand.
//!
//! ```text
//! extract (extract %v[1])[2]             ⇒  extract %v[1, 2]
//! extract (insert %x, %v[1])[0]          ⇒  extract %v[0]
//! extract (transpose %v, [1, 0])[2, 0]   ⇒  extract %v[0, 2]
//! extract (shape_cast %v)[1, 2]          ⇒  extract %v[6]
//! ```

use gridloom_dialects::{inherent, vector};
use gridloom_ir::{OpId, Value};

use super::super::build::remake;
use super::position::{Index, all_known, make_static, position, replace_by_poison, set};
use super::{chain, count, extents, is_scalable, vector_of};
use crate::rewriter::Rewriter;

/// The bound on links followed; a longer chain stays as it is.
const MAX_LINKS: usize = 64;

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let data = &rw.body()[op];
    let source = *data.operands.first()?;
    let at = position(rw.ctx, data, 1)?;
    if at.contains(&Index::Known(-1)) {
        return replace_by_poison(rw, op);
    }
    let shape = extents(rw, rw.body().ty(source));
    if let Some(()) = make_static(rw, op, &[source], &at, shape) {
        return Some(());
    }
    let maker = rw.body().defining_op(source)?;
    match rw.body()[maker].name {
        vector::EXTRACT => of_extract(rw, op, maker, &at),
        vector::INSERT => {
            of_insert(rw, op, maker, &at).or_else(|| chain::simplify(rw, op, source, &at))
        }
        vector::BROADCAST => of_broadcast(rw, op, maker, &at),
        vector::TRANSPOSE => {
            of_transpose(rw, op, maker, &at).or_else(|| chain::simplify(rw, op, source, &at))
        }
        vector::SHAPE_CAST => of_shape_cast(rw, op, maker, &at),
        vector::EXTRACT_STRIDED_SLICE => of_slice(rw, op, maker, &at),
        vector::INSERT_STRIDED_SLICE => of_inserted_slice(rw, op, maker, &at),
        vector::CREATE_MASK => of_mask(rw, op, maker, &at),
        vector::SHUFFLE => of_shuffle(rw, op, maker, &at),
        vector::FROM_ELEMENTS => of_elements(rw, op, maker, &at),
        _ => None,
    }
}

/// Extracts from `source` instead, or replaces the operation by `source` if
/// nothing is left to extract.
pub(super) fn take(rw: &mut Rewriter, op: OpId, source: Value, at: &[Index]) -> Option<()> {
    let ty = rw.body().ty(rw.body()[op].result(0));
    if at.is_empty() && rw.body().ty(source) == ty {
        rw.replace_op(op, &[source]);
    } else {
        set(rw, op, &[source], at);
    }
    Some(())
}

fn first_operand(rw: &Rewriter, op: OpId) -> Option<Value> {
    rw.body()[op].operands.first().copied()
}

/// `extract (extract %v[1])[2] ⇒ extract %v[1, 2]`.
fn of_extract(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    let source = first_operand(rw, maker)?;
    let mut whole = position(rw.ctx, &rw.body()[maker], 1)?;
    whole.extend_from_slice(at);
    // Only static positions merge.
    all_known(&whole)?;
    take(rw, op, source, &whole)
}

/// `extract (insert %x, %v[1])[1] ⇒ %x`, `extract (insert %x, %v[1])[2] ⇒ extract %v[2]`, along a
/// chain of insertions.
fn of_insert(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    let wanted = all_known(at)?;
    let (mut maker, mut around) = (maker, None);
    for _ in 0..MAX_LINKS {
        let data = &rw.body()[maker];
        let &[value, target, ..] = &data.operands[..] else {
            return None;
        };
        let Some(inserted) = position(rw.ctx, data, 2).and_then(|at| all_known(&at)) else {
            return take(rw, op, around?, at);
        };
        if let Some(rest) = wanted.strip_prefix(&inserted[..]) {
            // A scalar cannot be indexed further.
            let is_scalar = vector_of(rw, value).is_none();
            if is_scalar && !rest.is_empty() {
                return None;
            }
            return take(rw, op, value, &at[inserted.len()..]);
        }
        if inserted.iter().zip(&wanted).all(|(a, b)| a == b) {
            return take(rw, op, around?, at);
        }
        around = Some(target);
        match rw.body().defining_op(target) {
            Some(next) if rw.body()[next].name == vector::INSERT => maker = next,
            _ => return take(rw, op, target, at),
        }
    }
    None
}

/// `extract (broadcast %x)[1] ⇒ broadcast %x`, or `%x` where all new dimensions are gone.
fn of_broadcast(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    let source = first_operand(rw, maker)?;
    let result = rw.body().ty(rw.body()[op].result(0));
    let whole = extents(rw, rw.body().ty(rw.body()[maker].result(0)));
    let shape = extents(rw, rw.body().ty(source));
    let is_inside = |(index, &extent): (&Index, &i64)| {
        index
            .known()
            .is_none_or(|number| (0..extent).contains(&number))
    };
    // An index out of bounds gives poison.
    if !at.iter().zip(whole).all(is_inside) {
        return None;
    }
    let new = whole.len() - shape.len();
    if at.len() <= new {
        let is_whole = rw.body().ty(source) == result || at.len() == whole.len();
        return match is_whole {
            true => take(rw, op, source, &[]),
            false => remake(rw, op, vector::BROADCAST, &[source], &[]),
        };
    }
    let inner = at.len() - new;
    // The extracted dimensions must not be stretched ones.
    if shape[inner..] != whole[at.len()..] || is_scalable(rw, rw.body().ty(source)) {
        return None;
    }
    let extent = |(&index, &extent): (&Index, &i64)| match extent {
        1 => Index::Known(0),
        _ => index,
    };
    let at: Vec<Index> = at[new..].iter().zip(shape).map(extent).collect();
    take(rw, op, source, &at)
}

/// `extract (transpose %v) ⇒ extract %v` if the transposition permutes only the
/// indexed dimensions among themselves.
fn of_transpose(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    // Only static positions merge.
    all_known(at)?;
    let source = first_operand(rw, maker)?;
    let permutation = rw.body()[maker].get(rw.ctx, inherent::TRANSPOSITION)?;
    let (leading, rest) = permutation.split_at_checked(at.len())?;
    if !rest.iter().zip(at.len() as i64..).all(|(&a, b)| a == b) {
        return None;
    }
    let mut before = at.to_vec();
    for (&dim, &index) in leading.iter().zip(at) {
        *before.get_mut(usize::try_from(dim).ok()?)? = index;
    }
    take(rw, op, source, &before)
}

/// `extract (shape_cast %v : vector<4> to vector<2x2>)[1, 0] ⇒ extract %v[2]`,
/// `extract (shape_cast %v)[0] ⇒ shape_cast %v` where it takes all elements.
fn of_shape_cast(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    let source = first_operand(rw, maker)?;
    let (ty, result) = (rw.body().ty(source), rw.body().ty(rw.body()[op].result(0)));
    if is_scalable(rw, ty) {
        return None;
    }
    let at = all_known(at)?;
    let (before, part) = (extents(rw, ty), extents(rw, result));
    let whole = extents(rw, rw.body().ty(rw.body()[maker].result(0)));
    let inside = at
        .iter()
        .zip(whole)
        .all(|(n, &extent)| (0..extent).contains(n));
    if !inside {
        return None;
    }
    let Some(outer) = before.strip_suffix(part) else {
        // All elements, in another shape.
        let all = !part.is_empty() && count(part) == count(before);
        return all.then(|| remake(rw, op, vector::SHAPE_CAST, &[source], &[]))?;
    };
    let mut number = at
        .iter()
        .zip(whole)
        .fold(0i64, |number, (&n, &extent)| number * extent + n);
    let mut position = Vec::new();
    for &extent in outer.iter().rev() {
        position.push(Index::Known(number % extent));
        number /= extent;
    }
    position.reverse();
    take(rw, op, source, &position)
}

/// `extract (extract_strided_slice %v offsets [2])[1] ⇒ extract %v[3]`.
fn of_slice(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    let source = first_operand(rw, maker)?;
    let mut offsets = rw.body()[maker].get(rw.ctx, inherent::OFFSETS)?;
    let before = extents(rw, rw.body().ty(source));
    let after = extents(rw, rw.body().ty(rw.body()[maker].result(0)));
    // Trailing dimensions that the slice takes completely have no offset.
    while let Some(&last) = offsets.last() {
        let dim = offsets.len() - 1;
        if last != 0 || before[dim] != after[dim] {
            break;
        }
        offsets.pop();
    }
    if offsets.len() > at.len() {
        return None;
    }
    let mut at = at.to_vec();
    for (index, offset) in at.iter_mut().zip(offsets) {
        *index = Index::Known(index.known()?.checked_add(offset)?);
    }
    take(rw, op, source, &at)
}

/// `extract (insert_strided_slice %s, %v offsets [2])[3] ⇒ extract %s[1]`, along a chain of
/// inserted slices.
fn of_inserted_slice(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    let at = all_known(at)?;
    let mut maker = maker;
    for _ in 0..MAX_LINKS {
        let data = &rw.body()[maker];
        let &[value, target] = &data.operands[..] else {
            return None;
        };
        if data.name != vector::INSERT_STRIDED_SLICE {
            return None;
        }
        let offsets = data.get(rw.ctx, inherent::OFFSETS)?;
        let sizes = extents(rw, rw.body().ty(value));
        let whole = extents(rw, rw.body().ty(target));
        let new = whole.len() - sizes.len();
        let size = |dim: usize| dim.checked_sub(new).map_or(1, |dim| sizes[dim]);
        let inside = |dim: usize| (offsets[dim]..offsets[dim] + size(dim)).contains(&at[dim]);
        if (0..at.len()).all(inside) {
            let full = |dim: usize| dim >= new && size(dim) == whole[dim];
            if !(at.len()..whole.len()).all(full) {
                return None;
            }
            let at: Vec<Index> = (new..at.len())
                .map(|dim| Index::Known(at[dim] - offsets[dim]))
                .collect();
            return take(rw, op, value, &at);
        }
        maker = rw.body().defining_op(target)?;
    }
    None
}

/// `extract (create_mask 2, %n)[1] ⇒ create_mask %n`, `extract (create_mask 2, %n)[3] ⇒ false`.
fn of_mask(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    let bounds = rw.body()[maker].operands.to_vec();
    let at = all_known(at)?;
    if bounds.len() < at.len() || is_scalable(rw, rw.body().ty(rw.body()[maker].result(0))) {
        return None;
    }
    let cx = rw.look(op);
    let mut is_set = Some(true);
    for (&bound, index) in bounds.iter().zip(&at) {
        match cx.int(bound) {
            Some(bound) if *index >= bound => return replace_by_mask(rw, op, false),
            Some(_) => {}
            None => is_set = None,
        }
    }
    let rest = &bounds[at.len()..];
    // A mask of rank 0 still has one bound.
    if !rest.is_empty() && vector_of(rw, rw.body()[op].result(0)).is_none() {
        return None;
    }
    match is_set {
        Some(_) if !rest.is_empty() => remake(rw, op, vector::CREATE_MASK, rest, &[]),
        Some(is_set) => replace_by_mask(rw, op, is_set),
        None => None,
    }
}

fn replace_by_mask(rw: &mut Rewriter, op: OpId, is_set: bool) -> Option<()> {
    let ty = rw.body().ty(rw.body()[op].result(0));
    let mask = rw.splat(is_set.into(), ty, op)?;
    rw.replace_op(op, &[mask]);
    Some(())
}

/// `extract (shuffle [0, 5] %a, %b)[1] ⇒ extract %b[1]`, for operands of 4 rows.
fn of_shuffle(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    let &[first, second] = &rw.body()[maker].operands[..] else {
        return None;
    };
    let mask = rw.body()[maker].get(rw.ctx, inherent::SHUFFLE_MASK)?;
    let [row, rest @ ..] = at else { return None };
    let &[length, ..] = extents(rw, rw.body().ty(first)) else {
        return None;
    };
    let picked = *mask.get(usize::try_from(row.known()?).ok()?)?;
    let (source, row) = match picked {
        -1 => return replace_by_poison(rw, op),
        row if row < length => (first, row),
        row => (second, row - length),
    };
    take(rw, op, source, &[&[Index::Known(row)], rest].concat())
}

/// `extract (from_elements …) ⇒ from_elements` of the elements of the row.
fn of_elements(rw: &mut Rewriter, op: OpId, maker: OpId, at: &[Index]) -> Option<()> {
    let row = vector_of(rw, rw.body()[op].result(0))?;
    let whole = vector_of(rw, rw.body()[maker].result(0))?;
    let mut start = 0;
    for (&index, &extent) in all_known(at)?.iter().zip(whole.shape) {
        if !(0..extent).contains(&index) {
            return None;
        }
        start = start * extent + index;
    }
    let size = row.num_elements();
    let range = usize::try_from(start * size).ok()?..usize::try_from((start + 1) * size).ok()?;
    let elements = rw.body()[maker].operands.get(range)?.to_vec();
    remake(rw, op, vector::FROM_ELEMENTS, &elements, &[])
}
