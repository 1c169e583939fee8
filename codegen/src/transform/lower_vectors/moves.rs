//! Lowering of operations that only move elements (extract, insert, shuffle, broadcast, …), and of
//! masks.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::inherent;
use gridloom_dialects::vector::{self, row_major_strides};
use gridloom_ir::op::{Inherent, IntegersAttr};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Builder, OpId, Value};

use super::{Lowering, Results, each_index, extents};

/// Index of a position: constant, or a value.
#[derive(Clone, Copy)]
enum Index {
    Known(usize),
    Computed(Value),
}

impl Lowering<'_> {
    /// Lowers an operation that only moves elements; `None` for another one.
    pub(super) fn moved(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let name = b.body[op].name;
        match name {
            vector::BITCAST => self.bitcast(b, op),
            vector::EXTRACT => self.extract(b, op),
            vector::INSERT => self.insert(b, op),
            vector::STEP => {
                let count = extents(b.ctx, b.body.ty(b.body[op].result(0)))[0];
                Some(vec![
                    (0..count as i64).map(|at| b.index_constant(at)).collect(),
                ])
            }
            vector::CONSTANT_MASK | vector::CREATE_MASK => below_bounds(b, op),
            _ => {
                let operands: Vec<Value> = b.body[op].operands.to_vec();
                let shapes: Vec<Vec<usize>> = (operands.iter())
                    .map(|&operand| extents(b.ctx, b.body.ty(operand)))
                    .collect();
                let sources = sources(b, op, &shapes)?;
                let mut elements: Vec<Vec<Value>> = Vec::new();
                for operand in operands {
                    elements.push(self.elements(b, operand));
                }
                let element = |&(operand, at): &(usize, usize)| elements.get(operand)?.get(at);
                let all = |sources: &Vec<(usize, usize)>| {
                    sources
                        .iter()
                        .map(|source| element(source).copied())
                        .collect()
                };
                sources.iter().map(all).collect()
            }
        }
    }

    fn extract(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let source = b.body[op].operands[0];
        let shape = extents(b.ctx, b.body.ty(source));
        let position = position(b, op, 1)?;
        let mut elements = self.elements(b, source);
        for (&size, index) in shape.iter().zip(position) {
            let part = elements.len() / size.max(1);
            elements = match index {
                Index::Known(at) => elements.get(at * part..(at + 1) * part)?.to_vec(),
                Index::Computed(index) => chosen(b, &elements, part, index),
            };
        }
        Some(vec![elements])
    }

    fn insert(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let [value, target] = [0, 1].map(|at| b.body[op].operands[at]);
        let shape = extents(b.ctx, b.body.ty(target));
        let strides = row_major_strides(&shape);
        let position = position(b, op, 2)?;
        let (value, target) = (self.elements(b, value), self.elements(b, target));
        let mut result = target.clone();
        for (at, element) in result.iter_mut().enumerate() {
            // Position within the inserted part, and whether it is the one to insert at.
            let mut inside = at;
            let mut is_chosen = None;
            let mut is_here = true;
            for (&stride, index) in strides.iter().zip(&position) {
                let here = inside / stride;
                inside %= stride;
                match *index {
                    Index::Known(wanted) => is_here &= wanted == here,
                    Index::Computed(wanted) => {
                        let equal = equals(b, wanted, here);
                        is_chosen = Some(match is_chosen {
                            Some(before) => b.binary(arith::ANDI, before, equal),
                            None => equal,
                        });
                    }
                }
            }
            if is_here {
                let new = *value.get(inside)?;
                *element = match is_chosen {
                    Some(cond) => select(b, cond, new, *element),
                    None => new,
                };
            }
        }
        Some(vec![result])
    }
}

/// Emits `condition ? yes : no`.
pub(super) fn select(b: &mut Builder, condition: Value, yes: Value, no: Value) -> Value {
    let ty = b.body.ty(yes);
    b.unary(arith::SELECT, &[condition, yes, no], ty)
}

fn equals(b: &mut Builder, index: Value, number: usize) -> Value {
    let number = b.index_constant(number as i64);
    CmpIOp::create(b, CmpIPredicate::Eq, index, number)
}

/// Emits the selection of part number `index` of a list, by comparisons with each number.
fn chosen(b: &mut Builder, elements: &[Value], part: usize, index: Value) -> Vec<Value> {
    let part = part.max(1);
    let mut best = elements.get(..part).unwrap_or(&[]).to_vec();
    for (number, candidates) in elements.chunks(part).enumerate().skip(1) {
        let equal = equals(b, index, number);
        for (best, &candidate) in best.iter_mut().zip(candidates) {
            *best = select(b, equal, candidate, *best);
        }
    }
    best
}

/// The position of an extract or insert, whose dynamic indices are the operands from `first` on.
/// The poison index -1 may select any element.
fn position(b: &Builder, op: OpId, first: usize) -> Option<Vec<Index>> {
    let data = &b.body[op];
    let mut computed = data.operands[first..].iter();
    let known = data.get(b.ctx, inherent::STATIC_POSITION)?;
    let index = |number: i64| match number {
        DYNAMIC => computed.next().map(|&index| Index::Computed(index)),
        known => Some(Index::Known(known.max(0) as usize)),
    };
    known.into_iter().map(index).collect()
}

/// Source of each element of each result: the number of an operand, and of an element in it. `None`
/// for an operation that computes.
fn sources(b: &Builder, op: OpId, shapes: &[Vec<usize>]) -> Option<Vec<Vec<(usize, usize)>>> {
    let data = &b.body[op];
    let count = |shape: &Vec<usize>| shape.iter().product::<usize>();
    let result = || extents(b.ctx, b.body.ty(data.result(0)));
    let of_first = |places: Vec<usize>| vec![places.into_iter().map(|at| (0, at)).collect()];
    Some(match data.name {
        vector::SHAPE_CAST => of_first((0..count(&shapes[0])).collect()),
        vector::FROM_ELEMENTS => vec![(0..shapes.len()).map(|at| (at, 0)).collect()],
        vector::TO_ELEMENTS => (0..data.num_results()).map(|at| vec![(0, at)]).collect(),
        vector::BROADCAST => of_first(broadcast(&shapes[0], &result())),
        vector::TRANSPOSE => {
            let order = numbers(b, op, inherent::TRANSPOSITION)?;
            let strides = row_major_strides(&shapes[0]);
            let place = |index: Vec<usize>| {
                let parts = index.iter().zip(&order);
                let parts = parts.map(|(at, &dim)| Some(at * strides.get(dim)?));
                parts.sum::<Option<usize>>()
            };
            let places: Option<Vec<usize>> = each_index(&result()).into_iter().map(place).collect();
            of_first(places?)
        }
        vector::SHUFFLE => {
            let row: usize = shapes[0].iter().skip(1).product();
            let first = shapes[0].first().copied().unwrap_or(1);
            let rows = numbers(b, op, inherent::SHUFFLE_MASK)?
                .into_iter()
                .map(|from| {
                    let (operand, from) = match from.checked_sub(first) {
                        Some(from) => (1, from),
                        None => (0, from),
                    };
                    (0..row).map(move |at| (operand, from * row + at))
                });
            vec![rows.flatten().collect()]
        }
        vector::INTERLEAVE => {
            let pairs = (0..count(&shapes[0])).flat_map(|at| [(0, at), (1, at)]);
            vec![pairs.collect()]
        }
        vector::DEINTERLEAVE => {
            let half = count(&shapes[0]) / 2;
            let of = |first: usize| (0..half).map(move |at| (0, 2 * at + first)).collect();
            vec![of(0), of(1)]
        }
        vector::EXTRACT_STRIDED_SLICE => {
            of_first(slice(b, op, &shapes[0], &result(), Slice::Extract)?)
        }
        vector::INSERT_STRIDED_SLICE => {
            let mut all: Vec<(usize, usize)> = (0..count(&shapes[1])).map(|at| (1, at)).collect();
            let places = slice(b, op, &shapes[1], &shapes[0], Slice::Insert)?;
            for (at, place) in places.into_iter().enumerate() {
                *all.get_mut(place)? = (0, at);
            }
            vec![all]
        }
        _ => return None,
    })
}

/// Source element of each element of a broadcast: dimensions of extent 1 are stretched.
fn broadcast(source: &[usize], result: &[usize]) -> Vec<usize> {
    let added = result.len().saturating_sub(source.len());
    let place = |index: Vec<usize>| {
        let parts = source.iter().zip(&index[added..]);
        parts.fold(0, |at, (&size, &i)| {
            at * size + if size == 1 { 0 } else { i }
        })
    };
    each_index(result).into_iter().map(place).collect()
}

/// Direction of a slice: extract or insert.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slice {
    Extract,
    Insert,
}

/// Position in the larger vector of each element of a slice.
fn slice(
    b: &Builder,
    op: OpId,
    large: &[usize],
    small: &[usize],
    way: Slice,
) -> Option<Vec<usize>> {
    let (offsets, steps) = (
        numbers(b, op, inherent::OFFSETS)?,
        numbers(b, op, inherent::STRIDES)?,
    );
    // Offsets belong to the leading dimensions, strides to those of the inserted slice.
    let skipped = large.len().checked_sub(small.len())?;
    let strides = row_major_strides(large);
    let place = |index: Vec<usize>| {
        let parts = strides.iter().enumerate().map(|(dim, &stride)| {
            let inner = dim.checked_sub(skipped);
            let step = match way {
                Slice::Insert => inner.and_then(|dim| steps.get(dim)),
                Slice::Extract => steps.get(dim),
            };
            let at = inner.map_or(0, |dim| index[dim]);
            let offset = offsets.get(dim).copied().unwrap_or(0);
            (offset + at * step.copied().unwrap_or(1)) * stride
        });
        parts.sum()
    };
    Some(each_index(small).into_iter().map(place).collect())
}

/// Reads a list of indices; the poison index -1 becomes 0, since it may select any element.
fn numbers(b: &Builder, op: OpId, list: Inherent<IntegersAttr>) -> Option<Vec<usize>> {
    let list = b.body[op].get(b.ctx, list)?.into_iter();
    Some(list.map(|number| number.max(0) as usize).collect())
}

/// Lowers `vector.create_mask` and `vector.constant_mask`: an element is set where each index is
/// below its bound.
fn below_bounds(b: &mut Builder, op: OpId) -> Option<Results> {
    let result = b.body[op].result(0);
    let bounds: Vec<Value> = match b.body[op].get(b.ctx, inherent::MASK_DIM_SIZES) {
        Some(sizes) => sizes.iter().map(|&size| b.index_constant(size)).collect(),
        None => b.body[op].operands.to_vec(),
    };
    let mut shape = extents(b.ctx, b.body.ty(result));
    // A vector of rank 0 has one element, and also one bound.
    shape.resize(bounds.len(), 1);
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for (&size, &bound) in shape.iter().zip(&bounds) {
        let below = (0..size as i64).map(|at| {
            let at = b.index_constant(at);
            CmpIOp::create(b, CmpIPredicate::Slt, at, bound)
        });
        rows.push(below.collect());
    }
    let mut elements = Vec::new();
    for index in each_index(&shape) {
        let tests = rows.iter().zip(index).map(|(row, at)| row[at]);
        elements.push(tests.reduce(|all, test| b.binary(arith::ANDI, all, test))?);
    }
    Some(vec![elements])
}
