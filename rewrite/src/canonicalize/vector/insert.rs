//! `vector.insert`, `vector.from_elements` and `vector.to_elements`.
//!
//! ```text
//! insert %x, %v[0] : … into vector<1xf32>     ⇒  broadcast %x
//! insert %b, (insert %a, %v[0])[1]            ⇒  from_elements %a, %b
//! from_elements %x, %x                        ⇒  broadcast %x
//! from_elements (to_elements %v)              ⇒  %v
//! from_elements (extract %v[1, 0]), …          ⇒  extract %v[1]
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use gridloom_dialects::{inherent, vector};
use gridloom_ir::{OpId, Value};

use super::super::build::{create, make, remake};
use super::position::{Index, all_known, make_static, position, replace_by_poison, set};
use super::{count, extents, is_scalable, splatted, vector_of};
use crate::rewriter::Rewriter;

/// The bound on elements of a vector that `from_elements` rebuilds.
const MAX_ELEMENTS: i64 = 256;

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let data = &rw.body()[op];
    let &[value, target, ..] = &data.operands[..] else {
        return None;
    };
    let at = position(rw.ctx, data, 2)?;
    let ty = rw.body().ty(target);
    if let Some(()) = make_static(rw, op, &[value, target], &at, extents(rw, ty)) {
        return Some(());
    }
    if at.contains(&Index::Known(-1)) {
        return replace_by_poison(rw, op);
    }
    if let Some(()) = write_once(rw, op, [value, target], &at) {
        return Some(());
    }
    if is_scalable(rw, ty) {
        return None;
    }
    let known = all_known(&at);
    let is_inside = known.as_ref().is_some_and(|at| {
        let mut dims = at.iter().zip(extents(rw, ty));
        dims.all(|(index, &extent)| (0..extent).contains(index))
    });
    let all = count(extents(rw, ty)) == count(extents(rw, rw.body().ty(value)));
    if all && is_inside {
        return remake(rw, op, vector::BROADCAST, &[value], &[]);
    }
    if splatted(rw, op, value).is_some_and(|x| splatted(rw, op, target) == Some(x)) {
        rw.replace_op(op, &[target]);
        return Some(());
    }
    if !is_inside {
        return None;
    }
    join_chain(rw, op)
}

/// Skips an earlier insertion at the same position.
fn write_once(
    rw: &mut Rewriter,
    op: OpId,
    [value, target]: [Value; 2],
    at: &[Index],
) -> Option<()> {
    let earlier = rw.look(op).maker(target, vector::INSERT)?;
    if position(rw.ctx, earlier, 2)? != at {
        return None;
    }
    let before = *earlier.operands.get(1)?;
    set(rw, op, &[value, before], at);
    Some(())
}

/// `insert %b, (insert %a, %v[0])[1] ⇒ from_elements %a, %b` for a chain that covers the whole
/// vector.
fn join_chain(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let result = rw.body()[op].result(0);
    let shape = extents(rw, rw.body().ty(result));
    let total = count(shape);
    let goes_on = |&user: &OpId| {
        let data = &rw.body()[user];
        data.name == vector::INSERT && data.operands.get(1) == Some(&result)
    };
    if total > MAX_ELEMENTS || rw.users(result).iter().any(goes_on) {
        return None;
    }
    let mut elements: Vec<Option<Inserted>> = vec![None; total as usize];
    let (mut left, mut link, mut step) = (total, op, 0);
    while left > 0 {
        let data = &rw.body()[link];
        let &[value, target, ..] = &data.operands[..] else {
            return None;
        };
        let is_link = link == op || rw.users(data.result(0)).len() == 1;
        if data.name != vector::INSERT || !is_link {
            return None;
        }
        let (start, size) = range(shape, &all_known(&position(rw.ctx, data, 2)?)?)?;
        for index in 0..size {
            let element = elements.get_mut(start + index)?;
            if element.is_none() {
                *element = Some(Inserted { step, value, index });
                left -= 1;
            }
        }
        if left > 0 {
            link = rw.body().defining_op(target)?;
            step += 1;
        }
    }
    let elements: Vec<Inserted> = elements.into_iter().collect::<Option<_>>()?;
    let elements = scalars(rw, op, &elements);
    remake(rw, op, vector::FROM_ELEMENTS, &elements, &[])
}

/// The range of row-major elements at a position: start and length.
fn range(shape: &[i64], at: &[i64]) -> Option<(usize, usize)> {
    let (outer, inner) = shape.split_at_checked(at.len())?;
    let mut number = 0;
    for (&index, &extent) in at.iter().zip(outer) {
        if !(0..extent).contains(&index) {
            return None;
        }
        number = number * extent + index;
    }
    let size = count(inner);
    Some(((number * size) as usize, size as usize))
}

/// Origin of an element of the vector.
#[derive(Clone, Copy)]
struct Inserted {
    /// The insertion, counted from the last.
    step: usize,
    /// The inserted scalar or vector.
    value: Value,
    /// The element's row-major index in the inserted vector.
    index: usize,
}

/// The elements as scalars: `to_elements` splits each inserted vector once, in
/// the order of insertion.
fn scalars(rw: &mut Rewriter, op: OpId, elements: &[Inserted]) -> Vec<Value> {
    let vectors = elements.iter().filter(|e| vector_of(rw, e.value).is_some());
    let vectors: BTreeMap<Reverse<usize>, Value> =
        vectors.map(|e| (Reverse(e.step), e.value)).collect();
    let mut split: HashMap<usize, Vec<Value>> = HashMap::new();
    for (Reverse(step), value) in vectors {
        let Some(vector) = vector_of(rw, value) else {
            continue;
        };
        let types = vec![vector.element; vector.num_elements() as usize];
        let parts = create(rw, op, vector::TO_ELEMENTS, &[value], &types, &[]);
        split.insert(step, rw.body()[parts].results().collect());
    }
    let scalar = |inserted: &Inserted| {
        let parts = split.get(&inserted.step);
        parts.map_or(inserted.value, |parts| parts[inserted.index])
    };
    elements.iter().map(scalar).collect()
}

/// `from_elements %x, %x ⇒ broadcast %x`, and rebuilding another vector gives
/// that vector.
pub(super) fn from_elements(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let operands = rw.body()[op].operands.to_vec();
    let (&first, rest) = operands.split_first()?;
    let result = rw.body().ty(rw.body()[op].result(0));
    let whole = whole_of(rw, op, &operands);
    let is_same = whole.is_some_and(|whole| rw.body().ty(whole) == result);
    if !is_same && rest.iter().all(|&value| value == first) {
        return remake(rw, op, vector::BROADCAST, &[first], &[]);
    }
    let source = whole.or_else(|| row_of(rw, op, &operands))?;
    match rw.body().ty(source) == result {
        true => rw.replace_op(op, &[source]),
        false => remake(rw, op, vector::SHAPE_CAST, &[source], &[])?,
    }
    Some(())
}

/// The vector that `to_elements` split into exactly these elements.
fn whole_of(rw: &Rewriter, op: OpId, elements: &[Value]) -> Option<Value> {
    let parts = rw.look(op).maker(elements[0], vector::TO_ELEMENTS)?;
    let source = *parts.operands.first()?;
    let all = parts.results().eq(elements.iter().copied());
    all.then_some(source)
}

/// The vector, or the row of one, from which `extract` took exactly these
/// elements in row-major order.
fn row_of(rw: &mut Rewriter, op: OpId, elements: &[Value]) -> Option<Value> {
    let cx = rw.look(op);
    let first = cx.maker(elements[0], vector::EXTRACT)?;
    let source = *first.operands.first()?;
    let vector = vector_of(rw, source).filter(|vector| !vector.is_scalable())?;
    let shape = vector.shape;
    // The smallest inner part of the vector with as many elements.
    let sizes = (0..shape.len())
        .rev()
        .map(|dim| (dim, count(&shape[dim..])));
    let (dim, _) = { sizes }.find(|&(_, size)| size == elements.len() as i64)?;
    let at = all_known(&position(rw.ctx, first, 1)?)?;
    let outer = at.get(..dim)?.to_vec();
    let (start, _) = range(shape, &outer)?;
    let fits = |(number, &element): (usize, &Value)| {
        let extract = cx.maker(element, vector::EXTRACT)?;
        let at = all_known(&position(rw.ctx, extract, 1)?)?;
        let of_it = extract.operands.first() == Some(&source);
        (of_it && range(shape, &at)? == (start + number, 1)).then_some(())
    };
    let all: Option<()> = elements.iter().enumerate().map(fits).collect();
    all?;
    if outer.is_empty() {
        return Some(source);
    }
    let ty = rw.ctx.vector_type(&shape[dim..], vector.element);
    let place = [(
        inherent::STATIC_POSITION.name(),
        rw.ctx.i64_array_attr(&outer),
    )];
    Some(make(rw, op, vector::EXTRACT, &[source], ty, &place))
}

/// `to_elements (broadcast %v) ⇒ to_elements %v`, repeated.
pub(super) fn to_elements(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [operand] = rw.look(op).operands()?;
    let source = *rw
        .look(op)
        .maker(operand, vector::BROADCAST)?
        .operands
        .first()?;
    let results = rw.body()[op].num_results();
    let Some(vector) = vector_of(rw, source) else {
        rw.replace_op(op, &vec![source; results]);
        return Some(());
    };
    let (shape, whole) = (vector.shape, extents(rw, rw.body().ty(operand)));
    // If only outer dimensions are new, the elements repeat in order.
    if !whole.ends_with(shape) {
        return None;
    }
    let types = vec![vector.element; vector.num_elements() as usize];
    let parts = create(rw, op, vector::TO_ELEMENTS, &[source], &types, &[]);
    let parts: Vec<Value> = rw.body()[parts].results().collect();
    let all: Vec<Value> = parts.iter().copied().cycle().take(results).collect();
    rw.replace_op(op, &all);
    Some(())
}
