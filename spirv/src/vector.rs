//! The `vector` dialect on vectors of one dimension and up to four lanes: shuffles, broadcasts,
//! masks, reductions. Memory is in `vector_memory`.

use gridloom_dialects::inherent;
use gridloom_dialects::vector::{self, combining_kind};
use gridloom_ir::scalar::Accumulate;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{OpId, OpName, Value};
use rspirv::spirv::{Op, Word};

use crate::kernel::{Kernel, Lowered, Lowering};
use crate::types::{self, Reg};
use crate::{arith_float, arith_int, long_vector, vector_memory};

/// Lowers operations of the `vector` dialect.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        vector::BROADCAST => {
            let lanes = lanes(k, op, 0)?;
            let result = k.result(op)?;
            let count = k.reg(op, result)?.lanes as usize;
            let first = lanes.iter().copied().cycle().take(count);
            let all: Vec<Word> = first.collect();
            set_lanes(k, op, &all)?;
        }
        vector::SHAPE_CAST => {
            let lanes = lanes(k, op, 0)?;
            set_lanes(k, op, &lanes)?;
        }
        vector::FROM_ELEMENTS => {
            let count = k.body[op].operands.len();
            let all = (0..count).map(|index| k.word(op, index));
            let all: Vec<Word> = all.collect::<Lowering<_>>()?;
            set_lanes(k, op, &all)?;
        }
        vector::TO_ELEMENTS => {
            let lanes = lanes(k, op, 0)?;
            let results: Vec<Value> = k.body[op].results().collect();
            for (result, lane) in results.into_iter().zip(lanes) {
                k.define(result, Lowered::Reg(lane));
            }
        }
        vector::EXTRACT => extract(k, op)?,
        vector::INSERT => insert(k, op)?,
        vector::SHUFFLE => {
            let (a, b) = (lanes(k, op, 0)?, lanes(k, op, 1)?);
            let both: Vec<Word> = a.into_iter().chain(b).collect();
            let chosen = k.required(op, inherent::SHUFFLE_MASK)?;
            select_lanes(k, op, &both, &chosen)?;
        }
        vector::EXTRACT_STRIDED_SLICE => {
            let source = lanes(k, op, 0)?;
            let (offset, size) = (
                k.required(op, inherent::OFFSETS)?,
                k.required(op, inherent::SIZES)?,
            );
            let (&[offset], &[size]) = (&offset[..], &size[..]) else {
                return Err(k.malformed(op));
            };
            let chosen: Vec<i64> = (offset.max(0)..).take(size.max(0) as usize).collect();
            select_lanes(k, op, &source, &chosen)?;
        }
        vector::INSERT_STRIDED_SLICE => {
            let (value, mut dest) = (lanes(k, op, 0)?, lanes(k, op, 1)?);
            let offset = k.required(op, inherent::OFFSETS)?;
            let start = offset.first().and_then(|&n| usize::try_from(n).ok());
            let place = start.and_then(|start| dest.get_mut(start..start + value.len()));
            match place {
                Some(place) => place.copy_from_slice(&value),
                None => return Err(k.malformed(op)),
            }
            set_lanes(k, op, &dest)?;
        }
        vector::INTERLEAVE => {
            let (a, b) = (lanes(k, op, 0)?, lanes(k, op, 1)?);
            let all: Vec<Word> = a.into_iter().zip(b).flat_map(|(a, b)| [a, b]).collect();
            set_lanes(k, op, &all)?;
        }
        vector::STEP => {
            let result = k.result(op)?;
            let count = k.reg(op, result)?.lanes;
            let all: Vec<Word> = (0..count).map(|n| k.index_const(n.into())).collect();
            set_lanes(k, op, &all)?;
        }
        vector::CREATE_MASK | vector::CONSTANT_MASK => mask(k, op, name)?,
        vector::REDUCTION => reduction(k, op)?,
        _ => return vector_memory::lower(k, op, name),
    }
    Ok(true)
}

/// The lanes of operand number `index`; a scalar is the only one.
pub(crate) fn lanes(k: &mut Kernel<'_>, op: OpId, index: usize) -> Lowering<Vec<Word>> {
    long_vector::elements(k, op, index)
}

/// Defines the only result by its lanes.
pub(crate) fn set_lanes(k: &mut Kernel<'_>, op: OpId, lanes: &[Word]) -> Lowering<()> {
    let result = k.result(op)?;
    let reg = k.reg(op, result)?;
    if lanes.len() != reg.lanes as usize {
        return Err(k.malformed(op));
    }
    let word = k.e.vector(reg, lanes);
    k.set(op, word)
}

/// Shuffle: defines the result by the lanes with these numbers; -1, which is poison, gives lane 0.
fn select_lanes(k: &mut Kernel<'_>, op: OpId, lanes: &[Word], chosen: &[i64]) -> Lowering<()> {
    let parts = chosen
        .iter()
        .map(|&n| lanes.get(n.max(0) as usize).copied());
    let parts: Option<Vec<Word>> = parts.collect();
    let parts = parts.ok_or_else(|| k.malformed(op))?;
    set_lanes(k, op, &parts)
}

/// Position of an extract or insert: a known lane, or one in a register.
enum Position {
    Whole,
    Lane(usize),
    Computed(Word),
}

/// The position, whose dynamic index is operand number `first`.
fn position(k: &mut Kernel<'_>, op: OpId, first: usize) -> Lowering<Position> {
    let known = k.required(op, inherent::STATIC_POSITION)?;
    Ok(match known[..] {
        [] => Position::Whole,
        [DYNAMIC] => Position::Computed(k.word(op, first)?),
        [lane] => Position::Lane(lane.max(0) as usize),
        _ => return Err(k.malformed(op)),
    })
}

fn extract(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let source = lanes(k, op, 0)?;
    let value = k.operand(op, 0)?;
    let reg = k.reg(op, value)?;
    let word = match position(k, op, 1)? {
        Position::Whole => k.word(op, 0)?,
        Position::Lane(lane) => *source.get(lane).ok_or_else(|| k.malformed(op))?,
        // By comparisons: SPIR-V leaves an index that is out of range undefined.
        Position::Computed(index) => {
            let scalar = types::scalar(reg.kind);
            let mut best = source[0];
            for (number, &lane) in (0..).zip(&source).skip(1) {
                let this = is_number(k, index, number);
                best = k.e.select(scalar, this, lane, best);
            }
            best
        }
    };
    k.set(op, word)
}

fn insert(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let mut dest = lanes(k, op, 1)?;
    let value = k.word(op, 0)?;
    let vector = k.operand(op, 1)?;
    let scalar = types::scalar(k.reg(op, vector)?.kind);
    match position(k, op, 2)? {
        Position::Whole => return k.set(op, value),
        Position::Lane(lane) => match dest.get_mut(lane) {
            Some(place) => *place = value,
            None => return Err(k.malformed(op)),
        },
        Position::Computed(index) => {
            for (number, lane) in (0..).zip(&mut dest) {
                let this = is_number(k, index, number);
                *lane = k.e.select(scalar, this, value, *lane);
            }
        }
    }
    set_lanes(k, op, &dest)
}

fn is_number(k: &mut Kernel<'_>, index: Word, number: i64) -> Word {
    let (reg, number) = (k.index_reg(), k.index_const(number));
    k.e.test(reg, Op::IEqual, &[index, number])
}

/// Lowers `vector.create_mask` and `vector.constant_mask`: lanes below the bound are set.
fn mask(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<()> {
    let result = k.result(op)?;
    let count = k.reg(op, result)?.lanes;
    let bound = if name == vector::CREATE_MASK {
        k.word(op, 0)?
    } else {
        let sizes = k.required(op, inherent::MASK_DIM_SIZES)?;
        let &size = sizes.first().ok_or_else(|| k.malformed(op))?;
        k.index_const(size)
    };
    let reg = k.index_reg();
    let mut set = Vec::with_capacity(count as usize);
    for lane in 0..count {
        let lane = k.index_const(lane.into());
        set.push(k.e.test(reg, Op::SLessThan, &[lane, bound]));
    }
    set_lanes(k, op, &set)
}

/// Lowers a reduction: combines the initial value, if there is one, and the lanes from first to
/// last.
pub(crate) fn reduction(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let kind = k.body[op].get(k.ctx, inherent::COMBINING_KIND);
    let keyword = kind.and_then(|kind| combining_kind(k.ctx, kind));
    let result = k.result(op)?;
    let reg = k.reg(op, result)?;
    let kind = keyword.and_then(|keyword| Accumulate::from_keyword(keyword, reg.is_float()));
    let kind = kind.ok_or_else(|| k.malformed(op))?;
    let mut parts = lanes(k, op, 0)?;
    if k.body[op].operands.len() > 1 {
        parts.insert(0, k.word(op, 1)?);
    }
    let mut sum = parts[0];
    for &part in &parts[1..] {
        let next = combine(k, op, kind, reg, (sum, part));
        sum = next.ok_or_else(|| k.malformed(op))?;
    }
    k.set(op, sum)
}

/// Two scalars combined by `kind`; `None` where it does not combine such.
pub(crate) fn combine(
    k: &mut Kernel<'_>,
    op: OpId,
    kind: Accumulate,
    reg: Reg,
    (a, b): (Word, Word),
) -> Option<Word> {
    match kind {
        Accumulate::Float(float) if reg.is_float() => {
            arith_float::combine(k, op, float, reg, (a, b))
        }
        Accumulate::Int(int) if !reg.is_float() => arith_int::combine(k.e, int, reg, a, b),
        _ => None,
    }
}

impl crate::emit::Emitter {
    /// Lanes of a register: those that it was built from, or else extracted here. Extracted lanes
    /// are not cached in `lanes_of`, since they may not dominate another use. Only `vector_of` has
    /// them: where they dominate a use, their vector does too.
    pub(crate) fn lanes(&mut self, reg: Reg, word: Word) -> Vec<Word> {
        if let Some(lanes) = self.lanes_of.get(&word) {
            return lanes.clone();
        }
        let lanes: Vec<Word> = (0..reg.lanes)
            .map(|lane| self.lane(reg, word, lane))
            .collect();
        self.note_whole(&lanes, word);
        lanes
    }

    /// Notes that `lanes`, in this order, are the lanes of the vector `word`.
    pub(crate) fn note_whole(&mut self, lanes: &[Word], word: Word) {
        if lanes.len() > 1 {
            self.vector_of.insert(lanes.to_vec(), word);
        }
    }

    /// Builds a register from its lanes, or reuses the vector that they were extracted from.
    pub(crate) fn vector(&mut self, reg: Reg, lanes: &[Word]) -> Word {
        if let &[one] = lanes {
            return one;
        }
        if let Some(&whole) = self.vector_of.get(lanes) {
            return whole;
        }
        let word = self.on(reg, Op::CompositeConstruct, lanes);
        self.lanes_of.insert(word, lanes.to_vec());
        word
    }
}
