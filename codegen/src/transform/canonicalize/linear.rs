//! `affine.delinearize_index` and `affine.linearize_index`: sizes that are
//! known, parts that are nothing, and one after the other.
//!
//! ```text
//! delinearize_index %x into (4, 1, 8)                 ⇒  (4, 8), 0 for the second part
//! linearize_index [%c0, %x, %y] by (2, 3, 4)          ⇒  linearize_index [%x, %y] by (3, 4)
//! delinearize_index (linearize_index disjoint [%x, %y, %z] by (2, 4, 8)) into (8, 8)
//!                                  ⇒  linearize_index disjoint [%x, %y] by (2, 4), %z
//! ```

use gridloom_ir::dialect::affine;
use gridloom_ir::dialect::memref::Mixed;
use gridloom_ir::{Attr, OpId, Type, Value};

use super::build::{create, make};
use crate::transform::rewriter::Rewriter;

/// One rule or another; `None` if none fits.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    match rw.body()[op].name {
        affine::DELINEARIZE_INDEX => {
            let basis = basis(rw, op)?;
            know_sizes(rw, op, &basis)
                .or_else(|| drop_unit_parts(rw, op, &basis))
                .or_else(|| take_parts(rw, op, &basis))
        }
        affine::LINEARIZE_INDEX => {
            let basis = basis(rw, op)?;
            know_sizes(rw, op, &basis)
                .or_else(|| drop_nothing(rw, op, &basis))
                .or_else(|| join_parts(rw, op, &basis))
        }
        _ => None,
    }
}

/// The sizes of an operation.
fn basis(rw: &Rewriter, op: OpId) -> Option<Vec<Mixed>> {
    let data = &rw.body()[op];
    let sizes = data.attr(rw.ctx, "static_basis")?.as_i64_array(rw.ctx)?;
    let values = match data.name {
        affine::DELINEARIZE_INDEX => data.operands.get(1..)?,
        _ => data.operand_segment(rw.ctx, 1),
    };
    Some(Mixed::zip(&sizes, values))
}

/// The parts that an operation puts together.
fn parts(rw: &Rewriter, op: OpId) -> Vec<Value> {
    rw.body()[op].operand_segment(rw.ctx, 0).to_vec()
}

/// Whether the parts are promised to lie below their sizes.
fn is_disjoint(rw: &Rewriter, op: OpId) -> bool {
    let flag = rw.body()[op].attr(rw.ctx, "disjoint");
    flag.is_some_and(|flag| flag.as_bool(rw.ctx) != Some(false))
}

/// Sizes that are constants are numbers.
fn know_sizes(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
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
    rw.set_property(op, "static_basis", numbers);
    if rw.body()[op].name == affine::LINEARIZE_INDEX {
        let parts = parts(rw, op);
        let sizes = [parts.len() as i32, values.len() as i32];
        let sizes = rw.ctx.i32_array_attr(&sizes);
        rw.set_property(op, "operandSegmentSizes", sizes);
        rw.set_operands(op, &[parts, values].concat());
    } else {
        let index = rw.body()[op].operands[0];
        rw.set_operands(op, &[&[index], &values[..]].concat());
    }
    Some(())
}

/// Takes an index apart before `op`.
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
    let properties = [("static_basis", rw.ctx.i64_array_attr(&numbers))];
    let operands = [&[index], &values[..]].concat();
    let types: Vec<Type> = vec![rw.ctx.index_type(); count];
    let name = affine::DELINEARIZE_INDEX;
    let new = create(rw, op, name, &operands, &types, &properties);
    rw.body()[new].results().collect()
}

/// Puts an index together before `op`.
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
        ("static_basis", ctx.i64_array_attr(&numbers)),
        ("operandSegmentSizes", ctx.i32_array_attr(&sizes)),
    ];
    if disjoint {
        properties.push(("disjoint", ctx.unit_attr()));
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

/// A part of size 1 is 0.
fn drop_unit_parts(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
    let count = rw.body()[op].num_results();
    // Without a size, the first part may be anything.
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

/// The last parts of what was put together by the same sizes are those parts.
fn take_parts(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
    let index = rw.body()[op].operands[0];
    let made = rw.body().defining_op(index)?;
    if rw.body()[made].name != affine::LINEARIZE_INDEX || !is_disjoint(rw, made) {
        return None;
    }
    let (sizes, given) = (self::basis(rw, made)?, parts(rw, made));
    let count = rw.body()[op].num_results();
    let pairs = sizes.iter().rev().zip(basis.iter().rev());
    let most = (count - 1).min(given.len() - 1);
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

/// A first part that is 0 and parts of size 1 add nothing.
fn drop_nothing(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
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

/// Neighbouring parts of an index that was taken apart by the same sizes need
/// not be taken apart.
fn join_parts(rw: &mut Rewriter, op: OpId, basis: &[Mixed]) -> Option<()> {
    let given = parts(rw, op);
    let free = given.len() - basis.len();
    for start in 0..given.len() {
        let Some(made) = rw.body().defining_op(given[start]) else {
            continue;
        };
        if rw.body()[made].name != affine::DELINEARIZE_INDEX {
            continue;
        }
        let results: Vec<Value> = rw.body()[made].results().collect();
        let Some(first) = results.iter().position(|&result| result == given[start]) else {
            continue;
        };
        let sizes = self::basis(rw, made)?;
        let own_free = results.len() - sizes.len();
        // All but the first must agree in their size; that one, too, unless
        // nothing stands before it on either side.
        let agrees = |offset: usize| {
            let (part, result) = (start + offset, first + offset);
            let same_value = given.get(part) == results.get(result) && part < given.len();
            let size = part.checked_sub(free).and_then(|part| basis.get(part));
            let other = result
                .checked_sub(own_free)
                .and_then(|result| sizes.get(result));
            same_value && size == other && size.is_some()
        };
        let length = (0..).take_while(|&offset| agrees(offset)).count();
        if length < 2 {
            continue;
        }
        let Some(joined) = product(&basis[start - free..start - free + length]) else {
            continue;
        };
        return replace_joined(rw, op, made, [start, first, length], joined);
    }
    None
}

/// The product of numbers.
fn product(sizes: &[Mixed]) -> Option<Mixed> {
    let mut all = 1i64;
    for size in sizes {
        let Mixed::Constant(size) = size else {
            return None;
        };
        all = all.checked_mul(*size)?;
    }
    Some(Mixed::Constant(all))
}

/// One part of the joined size in the place of several.
fn replace_joined(
    rw: &mut Rewriter,
    op: OpId,
    made: OpId,
    [start, first, length]: [usize; 3],
    joined: Mixed,
) -> Option<()> {
    let splice = |list: &[Mixed], at: usize| -> Vec<Mixed> {
        [&list[..at], &[joined], &list[at + length..]].concat()
    };
    let (basis, given) = (basis(rw, op)?, parts(rw, op));
    let (sizes, count) = (self::basis(rw, made)?, rw.body()[made].num_results());
    let (free, own_free) = (given.len() - basis.len(), count - sizes.len());
    let index = rw.body()[made].operands[0];
    let apart = delinearize(
        rw,
        op,
        index,
        &splice(&sizes, first - own_free),
        count + 1 - length,
    );
    let values = [&given[..start], &[apart[first]], &given[start + length..]].concat();
    let disjoint = is_disjoint(rw, op);
    let value = linearize(rw, op, &values, &splice(&basis, start - free), disjoint)?;
    rw.replace_op(op, &[value]);
    Some(())
}
