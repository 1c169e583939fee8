//! Compiler of `vector`: a value of vector type is a list of scalar registers.
//!
//! A vector is a [`Slot::Vector`]: one register a lane, in row-major order. An operation that only
//! moves lanes (`extract`, `shuffle`, `transpose` …) makes a new list of the same registers and
//! emits nothing. Element-wise operations are compiled once for each lane: see
//! [`FunctionCompiler::lanewise`].

use super::shape::each_index;
use super::*;
use crate::code::Reg;
use crate::scalar::{Accumulate, IntOp, IntPredicate, scalar_kind};
use gridloom_dialects::inherent;
use gridloom_dialects::vector::{self, VectorShape, row_major_strides};
use gridloom_ir::Type;
use gridloom_ir::op::IntegersAttr;
use gridloom_ir::types::DYNAMIC;

/// The most lanes of a vector: each is a register, and an operation is as many instructions.
const MAX_LANES: i64 = 1 << 14;

/// What makes a program with scalable vectors run.
const FIXED: &str = "the pass 'lower-scalable-vectors' makes vectors of fixed length of them";

/// The lanes of a vector, or of a scalar as a vector of rank 0.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    pub shape: Vec<usize>,
    pub kind: ScalarKind,
    pub regs: Vec<Reg>,
}

impl FunctionCompiler<'_, '_> {
    /// Static extents and element kind of a vector type; those of a scalar are empty.
    pub(super) fn vector_shape(&mut self, ty: Type) -> Compiled<(Vec<usize>, ScalarKind)> {
        let vector = VectorShape::of(self.ctx, ty);
        let element = vector.map_or(ty, |vector| vector.element);
        let Some(kind) = scalar_kind(self.ctx, element) else {
            return self.error("the interpreter cannot hold elements of this type");
        };
        let Some(vector) = vector else {
            return Ok((Vec::new(), kind));
        };
        if vector.is_scalable() {
            let error = "the interpreter has no scalable vectors";
            let error = Diagnostic::error(self.current.loc, error).with_help(FIXED);
            self.unit.diagnostics.push(error);
            return Err(Unsupported);
        }
        if vector.num_elements() > MAX_LANES {
            return self.error(format!(
                "the interpreter has no vectors of more than {MAX_LANES} elements"
            ));
        }
        let shape = vector.shape.iter().map(|&size| size.max(0) as usize);
        Ok((shape.collect(), kind))
    }

    /// A slot of fresh registers for a vector type.
    pub(super) fn fresh_vector(&mut self, ty: Type) -> Compiled<Slot> {
        let (shape, kind) = self.vector_shape(ty)?;
        let count = shape.iter().product();
        let regs: Vec<Reg> = (0..count).map(|_| self.scalar_register()).collect();
        let lanes = self.span(&regs);
        Ok(Slot::Vector { lanes, kind })
    }

    /// The lanes of a value, a vector or a scalar.
    pub(super) fn lanes(&mut self, value: Value) -> Compiled<Lanes> {
        let (shape, kind) = self.vector_shape(self.body.ty(value))?;
        let regs = match self.slot(value)? {
            Slot::Vector { lanes, .. } => self.out.span(lanes).to_vec(),
            Slot::Scalar(reg, _) => vec![reg],
            _ => return self.error("a vector operand was expected"),
        };
        Ok(Lanes { shape, kind, regs })
    }

    /// Assigns registers to a value, a vector or a scalar, one a lane.
    pub(super) fn set_lanes(&mut self, value: Value, regs: &[Reg]) -> Compiled {
        let (shape, kind) = self.vector_shape(self.body.ty(value))?;
        if shape.iter().product::<usize>() != regs.len() {
            return self.error("the number of elements does not match the type");
        }
        let vector = VectorShape::of(self.ctx, self.body.ty(value)).is_some();
        let slot = match regs {
            &[reg] if !vector => Slot::Scalar(reg, kind),
            _ => Slot::Vector {
                lanes: self.span(regs),
                kind,
            },
        };
        // The slot exists after a use in an earlier block.
        match self.slots[value.index()] {
            Some(own) => self.moves(&[slot], &[own]),
            None => {
                self.slots[value.index()] = Some(slot);
                Ok(())
            }
        }
    }

    /// Compiles an element-wise operation once for each lane, if it has vectors.
    /// While a lane is set, [`FunctionCompiler::scalar`] and its like mean that lane.
    pub(super) fn lanewise(
        &mut self,
        op: OpId,
        one: impl Fn(&mut Self, OpId) -> Compiled<bool>,
    ) -> Compiled<bool> {
        let data = &self.body[op];
        let Some(result) = data.results().next() else {
            return one(self, op);
        };
        let ty = self.body.ty(result);
        if VectorShape::of(self.ctx, ty).is_none() {
            return one(self, op);
        }
        let (shape, _) = self.vector_shape(ty)?;
        let count: usize = shape.iter().product();
        for result in data.results() {
            self.define(result)?;
        }
        for lane in 0..count {
            self.lane = Some(lane);
            let known = one(self, op);
            self.lane = None;
            if !known? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn vector(&mut self, op: OpId) -> Compiled<bool> {
        let data = &self.body[op];
        match data.name {
            vector::PRINT => self.vector_print(op)?,
            vector::BROADCAST => self.broadcast(op)?,
            vector::EXTRACT => self.vector_extract(op)?,
            vector::INSERT => self.vector_insert(op)?,
            vector::FROM_ELEMENTS => {
                let regs = self.scalars(&data.operands)?;
                self.set_lanes(data.result(0), &regs)?;
            }
            vector::TO_ELEMENTS => {
                let lanes = self.lanes(data.operands[0])?;
                for (result, reg) in data.results().zip(lanes.regs) {
                    self.set_lanes(result, &[reg])?;
                }
            }
            vector::SHAPE_CAST => {
                let lanes = self.lanes(data.operands[0])?;
                self.set_lanes(data.result(0), &lanes.regs)?;
            }
            vector::TRANSPOSE => self.vector_transpose(op)?,
            vector::SHUFFLE => self.shuffle(op)?,
            vector::EXTRACT_STRIDED_SLICE => self.slice(op, false)?,
            vector::INSERT_STRIDED_SLICE => self.slice(op, true)?,
            vector::INTERLEAVE => {
                let (a, b) = (self.lanes(data.operands[0])?, self.lanes(data.operands[1])?);
                let pairs = a.regs.iter().zip(&b.regs);
                let regs: Vec<Reg> = pairs.flat_map(|(&a, &b)| [a, b]).collect();
                self.set_lanes(data.result(0), &regs)?;
            }
            vector::DEINTERLEAVE => {
                let lanes = self.lanes(data.operands[0])?;
                for (first, result) in data.results().enumerate() {
                    let half: Vec<Reg> =
                        lanes.regs.iter().skip(first).step_by(2).copied().collect();
                    self.set_lanes(result, &half)?;
                }
            }
            vector::STEP => {
                let (shape, _) = self.vector_shape(self.body.ty(data.result(0)))?;
                let count: usize = shape.iter().product();
                let regs: Vec<Reg> = (0..count as u64).map(|n| self.constant(n)).collect();
                self.set_lanes(data.result(0), &regs)?;
            }
            vector::CONSTANT_MASK => {
                let sizes = self.get(inherent::MASK_DIM_SIZES)?;
                let sizes = sizes.unwrap_or_default();
                let bounds: Vec<Reg> = sizes.iter().map(|&n| self.constant(n as u64)).collect();
                self.mask_below(data.result(0), &bounds)?;
            }
            vector::CREATE_MASK => {
                let bounds = self.scalars(&data.operands)?;
                self.mask_below(data.result(0), &bounds)?;
            }
            vector::FMA => {
                return self.lanewise(op, |this, op| {
                    let data = &this.body[op];
                    let kind = this.kind_of(data.operands[0])?;
                    let operands = this.scalars(&data.operands)?;
                    let [a, b, c] = operands[..] else {
                        return this.error("three operands expected");
                    };
                    let dst = this.define_scalar(data.result(0))?;
                    this.emit(Instr::Fma { kind, dst, a, b, c });
                    Ok(true)
                });
            }
            _ => return Ok(self.vector_reduce(op)? || self.vector_memory(op)?),
        }
        Ok(true)
    }

    fn broadcast(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let source = self.lanes(data.operands[0])?;
        let (shape, _) = self.vector_shape(self.body.ty(data.result(0)))?;
        let added = shape.len().saturating_sub(source.shape.len());
        let mut regs = Vec::new();
        each_index(&shape, |index| {
            let mut at = 0;
            for (&size, &i) in source.shape.iter().zip(&index[added..]) {
                at = at * size + if size == 1 { 0 } else { i };
            }
            regs.push(source.regs[at]);
        });
        self.set_lanes(data.result(0), &regs)
    }

    fn vector_transpose(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let source = self.lanes(data.operands[0])?;
        let order = self.i64s(inherent::TRANSPOSITION)?;
        let (shape, _) = self.vector_shape(self.body.ty(data.result(0)))?;
        let strides = row_major_strides(&source.shape);
        let mut regs = Vec::new();
        each_index(&shape, |index| {
            let at = index.iter().zip(&order).map(|(&i, &d)| i * strides[d]);
            regs.push(source.regs[at.sum::<usize>()]);
        });
        self.set_lanes(data.result(0), &regs)
    }

    /// Reads a list of lane numbers; -1, which stands for poison, becomes 0, since poison may be
    /// any element.
    fn i64s(&mut self, list: Inherent<IntegersAttr>) -> Compiled<Vec<usize>> {
        match self.get(list)? {
            Some(numbers) => Ok(numbers.iter().map(|&n| n.max(0) as usize).collect()),
            None => self.error(format!("'{}' is no list of integers", list.name())),
        }
    }

    fn shuffle(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (a, b) = (self.lanes(data.operands[0])?, self.lanes(data.operands[1])?);
        let mask = self.i64s(inherent::SHUFFLE_MASK)?;
        let row: usize = a.shape.iter().skip(1).product();
        let all: Vec<Reg> = a.regs.into_iter().chain(b.regs).collect();
        let mut regs = Vec::new();
        for from in mask {
            match all.get(from * row..(from + 1) * row) {
                Some(part) => regs.extend_from_slice(part),
                None => return self.error("the shuffle selects an element that does not exist"),
            }
        }
        self.set_lanes(data.result(0), &regs)
    }

    /// Compiles `extract_strided_slice`, or `insert_strided_slice`, whose value is the smaller
    /// vector.
    fn slice(&mut self, op: OpId, insert: bool) -> Compiled {
        let data = &self.body[op];
        let (offsets, strides_of) = (self.i64s(inherent::OFFSETS)?, self.i64s(inherent::STRIDES)?);
        let large = self.lanes(data.operands[usize::from(insert)])?;
        let small = if insert {
            data.operands[0]
        } else {
            data.result(0)
        };
        let (small, _) = self.vector_shape(self.body.ty(small))?;
        // Offsets are those of the leading dimensions, strides those of the value's.
        let skipped = large.shape.len() - small.len();
        let strides = row_major_strides(&large.shape);
        let mut at = Vec::new();
        each_index(&small, |index| {
            let mut place = 0;
            for (dim, &stride) in strides.iter().enumerate() {
                let inner = dim.checked_sub(skipped);
                let step = match insert {
                    true => inner.and_then(|dim| strides_of.get(dim)),
                    false => strides_of.get(dim),
                };
                let i = inner.map_or(0, |dim| index[dim]);
                let offset = offsets.get(dim).copied().unwrap_or(0);
                place += (offset + i * step.copied().unwrap_or(1)) * stride;
            }
            at.push(place);
        });
        if at.iter().any(|&place| place >= large.regs.len()) {
            return self.error("the slice exceeds the vector");
        }
        if !insert {
            let regs: Vec<Reg> = at.iter().map(|&place| large.regs[place]).collect();
            return self.set_lanes(data.result(0), &regs);
        }
        let value = self.lanes(data.operands[0])?;
        let mut regs = large.regs;
        for (place, reg) in at.into_iter().zip(value.regs) {
            regs[place] = reg;
        }
        self.set_lanes(data.result(0), &regs)
    }

    /// The position of an extract or insert: each index known, or in a register.
    fn position(&mut self, dynamic: &[Value]) -> Compiled<Vec<Result<usize, Reg>>> {
        let known = self.get(inherent::STATIC_POSITION)?;
        let mut dynamic = self.scalars(dynamic)?.into_iter();
        let mut position = Vec::new();
        for index in known.unwrap_or_default() {
            position.push(match index {
                DYNAMIC => match dynamic.next() {
                    Some(reg) => Err(reg),
                    None => return self.error("a dynamic position is missing"),
                },
                known => Ok(known.max(0) as usize),
            });
        }
        Ok(position)
    }

    fn vector_extract(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let source = self.lanes(data.operands[0])?;
        let position = self.position(&data.operands[1..])?;
        let mut regs = source.regs;
        for (&size, index) in source.shape.iter().zip(position) {
            let part = regs.len() / size.max(1);
            regs = match index {
                Ok(index) => match regs.get(index * part..(index + 1) * part) {
                    Some(part) => part.to_vec(),
                    None => return self.error("the position exceeds the vector"),
                },
                Err(index) => self.chosen(&regs, part, index),
            };
        }
        self.set_lanes(data.result(0), &regs)
    }

    /// Selects part number `index` of `regs` by comparing the index with each number.
    fn chosen(&mut self, regs: &[Reg], part: usize, index: Reg) -> Vec<Reg> {
        let mut best = regs.get(..part).unwrap_or(&[]).to_vec();
        for (number, candidate) in regs.chunks(part.max(1)).enumerate().skip(1) {
            let cond = self.equals(index, number);
            for (best, &a) in best.iter_mut().zip(candidate) {
                let dst = self.scalar_register();
                self.emit(Instr::Select {
                    dst,
                    cond,
                    a,
                    b: *best,
                });
                *best = dst;
            }
        }
        best
    }

    fn equals(&mut self, index: Reg, number: usize) -> Reg {
        let number = self.constant(number as u64);
        self.compare(IntPredicate::Eq, 64, index, number)
    }

    fn vector_insert(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let value = self.lanes(data.operands[0])?;
        let dest = self.lanes(data.operands[1])?;
        let position = self.position(&data.operands[2..])?;
        let strides = row_major_strides(&dest.shape);
        let first: usize = position
            .iter()
            .zip(&strides)
            .map(|(index, stride)| index.unwrap_or(0) * stride)
            .sum();
        let dynamic: Vec<(usize, Reg)> = position
            .iter()
            .enumerate()
            .filter_map(|(dim, index)| Some((dim, index.err()?)))
            .collect();
        let mut regs = dest.regs;
        if first + value.regs.len() > regs.len() {
            return self.error("the position exceeds the vector");
        }
        if dynamic.is_empty() {
            regs[first..first + value.regs.len()].copy_from_slice(&value.regs);
            return self.set_lanes(data.result(0), &regs);
        }
        let extents: Vec<usize> = dynamic.iter().map(|&(dim, _)| dest.shape[dim]).collect();
        let mut choices = Vec::new();
        each_index(&extents, |index| choices.push(index.to_vec()));
        for choice in choices {
            let mut cond = self.constant(1);
            let mut place = first;
            for (&(dim, reg), &number) in dynamic.iter().zip(&choice) {
                let equal = self.equals(reg, number);
                cond = self.int(IntOp::And, 1, cond, equal);
                place += number * strides[dim];
            }
            for (lane, &a) in value.regs.iter().enumerate() {
                let (dst, b) = (self.scalar_register(), regs[place + lane]);
                self.emit(Instr::Select { dst, cond, a, b });
                regs[place + lane] = dst;
            }
        }
        self.set_lanes(data.result(0), &regs)
    }

    /// Compiles a mask whose lanes are set where each index is below its bound.
    fn mask_below(&mut self, result: Value, bounds: &[Reg]) -> Compiled {
        let (mut shape, _) = self.vector_shape(self.body.ty(result))?;
        // The only element of a vector without dimensions has one bound, too.
        shape.resize(bounds.len(), 1);
        // For each dimension, the comparison of each of its indices with the bound.
        let mut below: Vec<Vec<Reg>> = Vec::new();
        for (&size, &bound) in shape.iter().zip(bounds) {
            let mut row = Vec::new();
            for index in 0..size {
                let index = self.constant(index as u64);
                row.push(self.compare(IntPredicate::Slt, 64, index, bound));
            }
            below.push(row);
        }
        let mut indices = Vec::new();
        each_index(&shape, |index| indices.push(index.to_vec()));
        let mut regs = Vec::new();
        for index in indices {
            let mut all = None;
            for (row, i) in below.iter().zip(index) {
                all = Some(match all {
                    Some(others) => self.int(IntOp::And, 1, others, row[i]),
                    None => row[i],
                });
            }
            regs.push(match all {
                Some(all) => all,
                None => self.constant(1),
            });
        }
        self.set_lanes(result, &regs)
    }

    pub(super) fn int(&mut self, op: IntOp, width: u8, a: Reg, b: Reg) -> Reg {
        let dst = self.scalar_register();
        self.emit(Instr::Int {
            op,
            width,
            dst,
            a,
            b,
        });
        dst
    }

    pub(super) fn compare(&mut self, pred: IntPredicate, width: u8, a: Reg, b: Reg) -> Reg {
        let dst = self.scalar_register();
        self.emit(Instr::IntCmp {
            pred,
            width,
            dst,
            a,
            b,
        });
        dst
    }

    /// `a` and `b` combined by an operation on floats or integers.
    pub(super) fn combined(&mut self, how: Accumulate, kind: ScalarKind, a: Reg, b: Reg) -> Reg {
        match (how, kind) {
            (Accumulate::Int(op), ScalarKind::Int(width)) => self.int(op, width, a, b),
            (Accumulate::Float(op), _) => {
                let dst = self.scalar_register();
                self.emit(Instr::Float {
                    op,
                    kind,
                    dst,
                    a,
                    b,
                });
                dst
            }
            _ => b,
        }
    }
}
