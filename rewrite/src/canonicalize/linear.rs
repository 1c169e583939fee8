//! `affine.delinearize_index` and `affine.linearize_index`: constant sizes become static,
//! unit dimensions go, and one operation cancels the other.
//!
//! ```text
//! delinearize_index %x into (4, 1, 8)                 ⇒  (4, 8), 0 for the second part
//! linearize_index [%c0, %x, %y] by (2, 3, 4)          ⇒  linearize_index [%x, %y] by (3, 4)
//! delinearize_index (linearize_index disjoint [%x, %y, %z] by (2, 4, 8)) into (8, 8)
//!                                  ⇒  linearize_index disjoint [%x, %y] by (2, 4), %z
//! ```

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::{affine, inherent};
use gridloom_ir::{Attr, OpId, Type, Value};

use super::build::{create, make};
use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (affine::DELINEARIZE_INDEX, &[simplify_delinearize]),
    (affine::LINEARIZE_INDEX, &[simplify_linearize]),
];

/// Tries each rewrite of `affine.delinearize_index`.
fn simplify_delinearize(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let basis = basis(rw, op)?;
    make_sizes_static(rw, op, &basis)
        .or_else(|| drop_unit_sizes(rw, op, &basis))
        .or_else(|| cancel_common_sizes(rw, op, &basis))
        .or_else(|| split_last(rw, op, &basis))
}

/// Tries each rewrite of `affine.linearize_index`.
fn simplify_linearize(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let basis = basis(rw, op)?;
    make_sizes_static(rw, op, &basis)
        .or_else(|| drop_zero_indices(rw, op, &basis))
        .or_else(|| relinearize_runs(rw, op, &basis))
}

/// The basis: the sizes of the dimensions.
fn basis(rw: &Rewriter, op: OpId) -> Option<Vec<Mixed>> {
    let data = &rw.body()[op];
    let sizes = data.get(rw.ctx, inherent::STATIC_BASIS)?;
    let values = match data.name {
        affine::DELINEARIZE_INDEX => data.operands.get(1..)?,
        _ => data.operand_segment(rw.ctx, 1),
    };
    Some(Mixed::zip(&sizes, values))
}

/// The multi-index that an `affine.linearize_index` linearizes.
fn parts(rw: &Rewriter, op: OpId) -> Vec<Value> {
    rw.body()[op].operand_segment(rw.ctx, 0).to_vec()
}

/// Whether a linearization promises that each index lies below its size.
fn is_disjoint(rw: &Rewriter, op: OpId) -> bool {
    let flag = rw.body()[op].attr(rw.ctx, inherent::DISJOINT);
    flag.is_some_and(|flag| flag.as_bool(rw.ctx) != Some(false))
}

/// `… by (%c4, %n) ⇒ … by (4, %n)` for a constant `%c4`.
fn make_sizes_static(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
    let number = |&size: &Mixed| match size {
        Mixed::Value(value) => match rw.look(op).int(value).filter(|&size| size > 0) {
            Some(number) => Mixed::Constant(number),
            None => size,
        },
        constant => constant,
    };
    let known: Vec<Mixed> = basis.iter().map(number).collect();
    if known == basis {
        return None;
    }
    let (numbers, values) = Mixed::unzip(&known);
    let numbers = rw.ctx.i64_array_attr(&numbers);
    rw.set_property(op, inherent::STATIC_BASIS, numbers);
    if rw.body()[op].name == affine::LINEARIZE_INDEX {
        let parts = parts(rw, op);
        let sizes = [parts.len() as i32, values.len() as i32];
        let sizes = rw.ctx.i32_array_attr(&sizes);
        rw.set_property(op, inherent::OPERAND_SEGMENT_SIZES, sizes);
        rw.set_operands(op, &[parts, values].concat());
    } else {
        let index = rw.body()[op].operands[0];
        rw.set_operands(op, &[&[index], &values[..]].concat());
    }
    Some(())
}

/// Delinearizes an index into `count` parts before `op`.
fn delinearize(
    rw: &mut Rewriter,
    op: OpId,
    index: Value,
    basis: &[Mixed],
    count: usize,
) -> Vec<Value> {
    if count == 1 {
        return vec![index];
    }
    let (numbers, values) = Mixed::unzip(basis);
    let properties = [(
        inherent::STATIC_BASIS.name(),
        rw.ctx.i64_array_attr(&numbers),
    )];
    let operands = [&[index], &values[..]].concat();
    let types: Vec<Type> = vec![rw.ctx.index_type(); count];
    let name = affine::DELINEARIZE_INDEX;
    let new = create(rw, op, name, &operands, &types, &properties);
    rw.body()[new].results().collect()
}

/// Linearizes a multi-index before `op`.
fn linearize(
    rw: &mut Rewriter,
    op: OpId,
    parts: &[Value],
    basis: &[Mixed],
    disjoint: bool,
) -> Option<Value> {
    let ctx = rw.ctx;
    let index = ctx.index_type();
    match parts {
        [] => return rw.splat(0, index, op),
        &[only] => return Some(only),
        _ => {}
    }
    let (numbers, values) = Mixed::unzip(basis);
    let sizes = [parts.len() as i32, values.len() as i32];
    let mut properties: Vec<(&str, Attr)> = vec![
        (inherent::STATIC_BASIS.name(), ctx.i64_array_attr(&numbers)),
        (
            inherent::OPERAND_SEGMENT_SIZES.name(),
            ctx.i32_array_attr(&sizes),
        ),
    ];
    if disjoint {
        properties.push((inherent::DISJOINT.name(), ctx.unit_attr()));
    }
    let operands = [parts, &values[..]].concat();
    Some(make(
        rw,
        op,
        affine::LINEARIZE_INDEX,
        &operands,
        index,
        &properties,
    ))
}

/// `%a, %b = delinearize %i into (1, 8) ⇒ %a = 0, %b = delinearize %i into (8)`.
fn drop_unit_sizes(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
    let count = rw.body()[op].num_results();
    // The first result has no size if the basis is one shorter than the results.
    let free = count - basis.len();
    let is_unit = |part: usize| {
        let size = part.checked_sub(free).map(|part| basis[part]);
        size == Some(Mixed::Constant(1))
    };
    if !(0..count).any(is_unit) {
        return None;
    }
    let index = rw.body()[op].operands[0];
    let left: Vec<Mixed> = basis
        .iter()
        .copied()
        .filter(|&s| s != Mixed::Constant(1))
        .collect();
    let zero = rw.splat(0, rw.ctx.index_type(), op)?;
    let mut parts = match left.len() + free {
        0 => Vec::new(),
        count => delinearize(rw, op, index, &left, count),
    }
    .into_iter();
    let values: Option<Vec<Value>> = (0..count)
        .map(|part| {
            if is_unit(part) {
                Some(zero)
            } else {
                parts.next()
            }
        })
        .collect();
    rw.replace_op(op, &values?);
    Some(())
}

/// The basis and multi-index of the disjoint linearization that `op` delinearizes.
fn linearization_of(rw: &Rewriter, op: OpId) -> Option<(Vec<Mixed>, Vec<Value>)> {
    let index = rw.body()[op].operands[0];
    let made = rw.body().defining_op(index)?;
    if rw.body()[made].name != affine::LINEARIZE_INDEX || !is_disjoint(rw, made) {
        return None;
    }
    Some((basis(rw, made)?, parts(rw, made)))
}

/// `delinearize (linearize [%a, %b] by (%n, 8)) into (%m, 8) ⇒ delinearize (linearize [%a] by (%n))
/// into (%m), %b`: common trailing sizes cancel.
fn cancel_common_sizes(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
    let (sizes, given) = linearization_of(rw, op)?;
    let count = rw.body()[op].num_results();
    let pairs = sizes.iter().rev().zip(basis.iter().rev());
    // If every result has a size, the outermost one is kept: nothing lies above it.
    let most = (count - 1).min(sizes.len());
    let same = pairs.take_while(|(a, b)| a == b).count().min(most);
    if same == 0 {
        return None;
    }
    let left = given.len() - same;
    let rest = linearize(rw, op, &given[..left], &sizes[..sizes.len() - same], true)?;
    let mut values = delinearize(rw, op, rest, &basis[..basis.len() - same], count - same);
    values.extend_from_slice(&given[left..]);
    rw.replace_op(op, &values);
    Some(())
}

/// `delinearize (linearize [%a, %b] by (%n, 8)) into (%n, 2, 4) ⇒ %a, delinearize %b into (2, 4)`:
/// the last index on its own where several trailing sizes multiply to its size.
fn split_last(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
    let (sizes, given) = linearization_of(rw, op)?;
    let (&Mixed::Constant(target), (&last, first)) = (sizes.last()?, given.split_last()?) else {
        return None;
    };
    let (mut product, mut length) = (1i64, 0);
    for size in basis.iter().rev() {
        let Mixed::Constant(size) = *size else {
            return None;
        };
        product = product.checked_mul(size)?;
        length += 1;
        if product >= target {
            break;
        }
    }
    let count = rw.body()[op].num_results();
    if product != target || length < 2 || length == count || first.is_empty() {
        return None;
    }
    let without = &sizes[..sizes.len() - 1];
    let rest = linearize(rw, op, first, without, true)?;
    let split = basis.len() - length;
    let mut values = delinearize(rw, op, rest, &basis[..split], count - length);
    values.extend(delinearize(rw, op, last, &basis[split..], length));
    rw.replace_op(op, &values);
    Some(())
}

/// `linearize [0, %a] by (4, 8) ⇒ linearize [%a] by (8)`,
/// `linearize [%a, %b, %c] by (4, 1, 8) ⇒ linearize [%a, %c] by (4, 8)`: an index below 1 is 0.
fn drop_zero_indices(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
    let given = parts(rw, op);
    let disjoint = is_disjoint(rw, op);
    let free = given.len() - basis.len();
    if given.len() > 1 && rw.look(op).is_int(*given.first()?, 0) {
        let value = linearize(rw, op, &given[1..], &basis[1 - free..], disjoint)?;
        rw.replace_op(op, &[value]);
        return Some(());
    }
    let is_nothing = |part: usize| {
        let size = part.checked_sub(free).map(|part| basis[part]);
        size == Some(Mixed::Constant(1)) && (disjoint || rw.look(op).is_int(given[part], 0))
    };
    let kept: Vec<usize> = (0..given.len()).filter(|&part| !is_nothing(part)).collect();
    if kept.len() == given.len() {
        return None;
    }
    let values: Vec<Value> = kept.iter().map(|&part| given[part]).collect();
    let sizes = kept
        .iter()
        .filter_map(|&part| Some(basis[part.checked_sub(free)?]));
    let sizes: Vec<Mixed> = sizes.collect();
    let value = linearize(rw, op, &values, &sizes, disjoint)?;
    rw.replace_op(op, &[value]);
    Some(())
}

/// A run of consecutive results of a delinearization among the indices of a linearization.
struct Run {
    made: OpId,
    /// The start of the run among the indices, and among the results.
    part: usize,
    result: usize,
    length: usize,
}

/// `linearize [%a, %b, %c] by (4, 8, %n) ⇒ linearize [%i, %c] by (32, %n)` for
/// `%a, %b = delinearize %i into (4, 8)`.
fn relinearize_runs(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
    let given = parts(rw, op);
    let sizes = padded(basis, given.len());
    let mut runs: Vec<Run> = Vec::new();
    let mut part = 0;
    while part < given.len() {
        match run_at(rw, op, &given, &sizes, part) {
            // A second run of the same operation waits for the next round.
            Some(run) if runs.iter().all(|other| other.made != run.made) => {
                part += run.length;
                runs.push(run);
            }
            _ => part += 1,
        }
    }
    let mut values = Vec::new();
    let mut joined_sizes = Vec::new();
    let mut apart = Vec::new();
    let mut done = 0;
    let mut changed = false;
    for run in runs {
        let end = run.part + run.length;
        let slice = &sizes[run.part..end];
        let Some(size) = product(rw, op, &run, slice) else {
            continue;
        };
        changed = true;
        values.extend_from_slice(&given[done..run.part]);
        joined_sizes.extend_from_slice(&sizes[done..run.part]);
        done = end;
        joined_sizes.push(size);
        let (value, results) = relinearize_run(rw, &run, slice, size)?;
        values.push(value);
        if let Some(results) = results {
            apart.push((run.made, results));
        }
    }
    if !changed {
        return None;
    }
    values.extend_from_slice(&given[done..]);
    joined_sizes.extend_from_slice(&sizes[done..]);
    let sizes: Vec<Mixed> = joined_sizes.into_iter().flatten().collect();
    let disjoint = is_disjoint(rw, op);
    let value = linearize(rw, op, &values, &sizes, disjoint)?;
    rw.replace_op(op, &[value]);
    for (made, results) in apart {
        rw.replace_op(made, &results);
    }
    Some(())
}

/// A size for each index; `None` for an outermost one without.
fn padded(basis: &[Mixed], count: usize) -> Vec<Option<Mixed>> {
    let free = count.saturating_sub(basis.len());
    let none = std::iter::repeat_n(None, free);
    none.chain(basis.iter().copied().map(Some)).collect()
}

/// The run that starts at index `part`.
fn run_at(
    rw: &Rewriter,
    op: OpId,
    given: &[Value],
    sizes: &[Option<Mixed>],
    part: usize,
) -> Option<Run> {
    let made = rw.body().defining_op(given[part])?;
    if rw.body()[made].name != affine::DELINEARIZE_INDEX {
        return None;
    }
    let results: Vec<Value> = rw.body()[made].results().collect();
    let result = results.iter().position(|&value| value == given[part])?;
    let made_sizes = padded(&basis(rw, made)?, results.len());
    // The size of the first index does not enter the result; it is only a promise.
    let starts = made_sizes[result] == sizes[part]
        || part == 0 && result == 0
        || result == 0 && made_sizes[0].is_none() && is_disjoint(rw, op);
    let agrees = |&offset: &usize| {
        let (part, result) = (part + offset, result + offset);
        let (Some(value), Some(other)) = (given.get(part), results.get(result)) else {
            return false;
        };
        value == other && sizes[part] == made_sizes[result]
    };
    let length = 1 + (1..).take_while(agrees).count();
    (starts && length > 1).then_some(Run {
        made,
        part,
        result,
        length,
    })
}

/// The product of the sizes of a run, computed by an `affine.apply` if it is not constant;
/// `Some(None)` if the run starts with an outermost index that has no size.
fn product(
    rw: &mut Rewriter,
    op: OpId,
    run: &Run,
    sizes: &[Option<Mixed>],
) -> Option<Option<Mixed>> {
    let mut constant = 1i64;
    let mut values = Vec::new();
    for size in sizes {
        match *size {
            None => return Some(None),
            Some(Mixed::Constant(size)) => constant = constant.checked_mul(size)?,
            Some(Mixed::Value(value)) => values.push(value),
        }
    }
    if values.is_empty() {
        return Some(Some(Mixed::Constant(constant)));
    }
    let (ctx, body) = (rw.ctx, rw.body());
    let scope = affine::scope_of(body, op)?;
    // The sizes must dominate the delinearization if some of its results remain.
    let own = &body[run.made].operands[1..];
    let is_there = values.iter().all(|value| own.contains(value));
    let is_whole = run.length == body[run.made].num_results();
    let anchor = if is_there { run.made } else { op };
    let is_symbol = |&value: &Value| affine::is_valid_symbol(ctx, body, value, scope);
    if !(is_there || is_whole) || !values.iter().all(is_symbol) {
        return None;
    }
    let mut expr = ctx.affine_const(constant);
    for number in 0..values.len() as u32 {
        expr = ctx.affine_mul(expr, ctx.affine_symbol(number));
    }
    let map = ctx.affine_map(0, values.len() as u32, &[expr]);
    let properties = [(inherent::MAP.name(), ctx.map_attr(map))];
    let index = ctx.index_type();
    let size = make(rw, anchor, affine::APPLY, &values, index, &properties);
    Some(Some(Mixed::Value(size)))
}

/// The index that replaces a run, and new results for the delinearization if the run does
/// not cover all of them.
fn relinearize_run(
    rw: &mut Rewriter,
    run: &Run,
    sizes: &[Option<Mixed>],
    size: Option<Mixed>,
) -> Option<(Value, Option<Vec<Value>>)> {
    let made = run.made;
    let index = rw.body()[made].operands[0];
    let count = rw.body()[made].num_results();
    if run.length == count {
        return Some((index, None));
    }
    let mut left = padded(&basis(rw, made)?, count);
    left.splice(run.result..run.result + run.length, [size]);
    let left: Vec<Mixed> = left.into_iter().flatten().collect();
    let outer = delinearize(rw, made, index, &left, count + 1 - run.length);
    let value = outer[run.result];
    let sizes: Vec<Mixed> = sizes.iter().copied().flatten().collect();
    let inner = delinearize(rw, made, value, &sizes, run.length);
    let results = [&outer[..run.result], &inner, &outer[run.result + 1..]].concat();
    Some((value, Some(results)))
}
