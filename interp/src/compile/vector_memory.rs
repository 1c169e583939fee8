//! Compiler of `vector` memory operations: loads, stores and transfers, element by element.

use super::shape::each_index;
use super::vector::Lanes;
use super::*;
use crate::code::Reg;
use crate::scalar::{IntOp, IntPredicate};
use gridloom_dialects::inherent;
use gridloom_dialects::vector::{self, row_major_strides};
use gridloom_ir::affine::AffineExprKind;

impl FunctionCompiler<'_, '_> {
    pub(super) fn vector_memory(&mut self, op: OpId) -> Compiled<bool> {
        let data = &self.body[op];
        let operands = &data.operands;
        match data.name {
            vector::LOAD => {
                let index = self.scalars(&operands[1..])?;
                self.vector_load(operands[0], &index, data.result(0))?;
            }
            vector::STORE => {
                let index = self.scalars(&operands[2..])?;
                self.vector_store(operands[0], operands[1], &index)?;
            }
            vector::MASKEDLOAD | vector::MASKEDSTORE => self.masked(op)?,
            vector::EXPANDLOAD | vector::COMPRESSSTORE => self.packed(op)?,
            vector::GATHER | vector::SCATTER => self.indexed(op)?,
            vector::TRANSFER_READ => self.transfer_read(op)?,
            vector::TRANSFER_WRITE => self.transfer_write(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads consecutive elements from `index` on, in the trailing dimensions.
    pub(super) fn vector_load(&mut self, memref: Value, index: &[Reg], result: Value) -> Compiled {
        let (shape, _) = self.vector_shape(self.body.ty(result))?;
        let places = self.places(index, &shape)?;
        let mut regs = Vec::new();
        for place in places {
            let dst = self.scalar_register();
            self.read_element(memref, &place, dst)?;
            regs.push(dst);
        }
        self.set_lanes(result, &regs)
    }

    /// Writes consecutive elements from `index` on.
    pub(super) fn vector_store(&mut self, value: Value, memref: Value, index: &[Reg]) -> Compiled {
        let lanes = self.lanes(value)?;
        let places = self.places(index, &lanes.shape)?;
        for (place, src) in places.into_iter().zip(lanes.regs) {
            self.write_element(memref, &place, src)?;
        }
        Ok(())
    }

    /// The index of each lane of a vector whose first lane lies at `index`.
    fn places(&mut self, index: &[Reg], shape: &[usize]) -> Compiled<Vec<Vec<Reg>>> {
        let Some(skipped) = index.len().checked_sub(shape.len()) else {
            return self.error("the vector has more dimensions than the memref");
        };
        // Sums of a base and a number are shared by the lanes of a row.
        let mut shifted: Vec<Vec<Reg>> = Vec::new();
        for (&base, &size) in index[skipped..].iter().zip(shape) {
            shifted.push((0..size).map(|number| self.offset(base, number)).collect());
        }
        let mut places = Vec::new();
        each_index(shape, |lane| {
            let mut place = index[..skipped].to_vec();
            place.extend(shifted.iter().zip(lane).map(|(row, &i)| row[i]));
            places.push(place);
        });
        Ok(places)
    }

    fn offset(&mut self, base: Reg, number: usize) -> Reg {
        if number == 0 {
            return base;
        }
        let number = self.constant(number as u64);
        self.int(IntOp::Add, 64, base, number)
    }

    /// Compiles a masked access: where each lane lies, and whether it is set.
    fn masked(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let operands = &data.operands;
        let (indices, last) = operands[1..].split_at(operands.len() - 3);
        let index = self.scalars(indices)?;
        let (mask, value) = (self.lanes(last[0])?, self.lanes(last[1])?);
        let places = self.places(&index, &value.shape)?;
        self.where_set(op, &mask, &value, &places)
    }

    /// Accesses the place of each lane that is set; unset lanes of a load are those of `value`.
    fn where_set(
        &mut self,
        op: OpId,
        mask: &Lanes,
        value: &Lanes,
        places: &[Vec<Reg>],
    ) -> Compiled {
        let data = &self.body[op];
        let memref = data.operands[0];
        let mut regs = Vec::new();
        for ((&cond, &lane), place) in mask.regs.iter().zip(&value.regs).zip(places) {
            let dst = self.scalar_register();
            if data.num_results() > 0 {
                self.emit(Instr::Move { dst, src: lane });
            }
            let skip = self.emit(Instr::JumpIfNot { cond, to: 0 });
            if data.num_results() > 0 {
                self.read_element(memref, place, dst)?;
            } else {
                self.write_element(memref, place, lane)?;
            }
            self.patch(skip);
            regs.push(dst);
        }
        match data.results().next() {
            Some(result) => self.set_lanes(result, &regs),
            None => Ok(()),
        }
    }

    /// Compiles `expandload` and `compressstore`: the lanes that are set lie side by side in
    /// memory.
    fn packed(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let operands = &data.operands;
        let (indices, last) = operands[1..].split_at(operands.len() - 3);
        let index = self.scalars(indices)?;
        let (mask, value) = (self.lanes(last[0])?, self.lanes(last[1])?);
        let Some((&inner, outer)) = index.split_last() else {
            return self.error("the access needs an index");
        };
        let mut next = inner;
        let mut places = Vec::new();
        for &set in &mask.regs {
            places.push(outer.iter().copied().chain([next]).collect());
            next = self.int(IntOp::Add, 64, next, set);
        }
        self.where_set(op, &mask, &value, &places)
    }

    /// Compiles `gather` and `scatter`: each lane has an index of its own in the last dimension.
    fn indexed(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        if data.name == vector::SCATTER && data.num_results() > 0
            || self.body.ty(data.operands[0]).memref(self.ctx).is_none()
        {
            return self.error("the interpreter gathers and scatters in memrefs only");
        }
        let operands = &data.operands;
        let (offsets, last) = operands[1..].split_at(operands.len() - 4);
        let offsets = self.scalars(offsets)?;
        let indices = self.lanes(last[0])?;
        let (mask, value) = (self.lanes(last[1])?, self.lanes(last[2])?);
        let Some((&inner, outer)) = offsets.split_last() else {
            return self.error("the access needs an offset");
        };
        let mut places = Vec::new();
        for &lane in &indices.regs {
            let lane = match indices.kind {
                ScalarKind::Int(width) if width < 64 => self.widened(lane, width),
                _ => lane,
            };
            let at = self.int(IntOp::Add, 64, inner, lane);
            places.push(outer.iter().copied().chain([at]).collect());
        }
        self.where_set(op, &mask, &value, &places)
    }

    /// Compiles `transfer_read`: a lane whose conditions fail keeps the padding.
    fn transfer_read(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (memref, result) = (data.operands[0], data.result(0));
        let groups = self.segments()?;
        let (indices, padding, mask) = (&groups[1], groups[2][0], groups[3].first());
        let lanes = self.transfer_lanes(memref, indices, mask.copied(), result)?;
        let padding = self.scalar(padding)?;
        let mut regs = Vec::new();
        for lane in lanes {
            let dst = self.scalar_register();
            self.emit(Instr::Move { dst, src: padding });
            let skips = self.skips(&lane.conditions);
            self.read_element(memref, &lane.index, dst)?;
            skips.into_iter().for_each(|skip| self.patch(skip));
            regs.push(dst);
        }
        self.set_lanes(result, &regs)
    }

    /// Compiles `transfer_write`: a lane whose conditions fail is not written.
    fn transfer_write(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (value, memref) = (data.operands[0], data.operands[1]);
        let groups = self.segments()?;
        let (indices, mask) = (&groups[2], groups[3].first());
        let lanes = self.transfer_lanes(memref, indices, mask.copied(), value)?;
        let source = self.lanes(value)?;
        for (lane, src) in lanes.into_iter().zip(source.regs) {
            let skips = self.skips(&lane.conditions);
            self.write_element(memref, &lane.index, src)?;
            skips.into_iter().for_each(|skip| self.patch(skip));
        }
        Ok(())
    }

    /// Emits jumps, whose targets are to be patched, that leave where a condition fails.
    fn skips(&mut self, conditions: &[Reg]) -> Vec<usize> {
        let jumps = conditions.iter();
        jumps
            .map(|&cond| self.emit(Instr::JumpIfNot { cond, to: 0 }))
            .collect()
    }

    /// The lanes of a transfer between the vector `value` and `memref`, in row-major order.
    fn transfer_lanes(
        &mut self,
        memref: Value,
        indices: &[Value],
        mask: Option<Value>,
        value: Value,
    ) -> Compiled<Vec<TransferLane>> {
        if self.body.ty(memref).memref(self.ctx).is_none() {
            return self.error("the interpreter transfers to and from memrefs only");
        }
        let index = self.scalars(indices)?;
        let (shape, _) = self.vector_shape(self.body.ty(value))?;
        let dims = self.transfer_dimensions(index.len())?;
        let rows = self.transfer_rows(memref, &index, &dims, &shape)?;
        let mask = match mask {
            Some(mask) => Some(self.lanes(mask)?),
            None => None,
        };
        let mask_at = mask_places(&dims, &shape);
        if mask
            .as_ref()
            .is_some_and(|mask| mask_at.iter().any(|&at| at >= mask.regs.len()))
        {
            return self.error("the mask does not fit the transfer");
        }
        let mut lanes = Vec::new();
        each_index(&shape, |lane| {
            let (mut index, mut conditions) = (index.clone(), Vec::new());
            for ((row, &i), &dim) in rows.iter().zip(lane).zip(&dims) {
                let (at, inside) = row[i];
                if let Some(dim) = dim {
                    index[dim] = at;
                }
                conditions.extend(inside);
            }
            conditions.extend(mask.as_ref().map(|mask| mask.regs[mask_at[lanes.len()]]));
            lanes.push(TransferLane { index, conditions });
        });
        Ok(lanes)
    }

    /// The memref's dimension of each of the vector's, by the permutation map; none for a broadcast
    /// one.
    fn transfer_dimensions(&mut self, rank: usize) -> Compiled<Vec<Option<usize>>> {
        let map = self.map(inherent::PERMUTATION_MAP)?;
        let mut dims = Vec::new();
        for &expr in map.results(self.ctx) {
            dims.push(match expr.kind(self.ctx) {
                AffineExprKind::Dim(dim) if (dim as usize) < rank => Some(dim as usize),
                AffineExprKind::Constant(0) => None,
                _ => return self.error("the map is no projected permutation"),
            });
        }
        Ok(dims)
    }

    /// The index into the memref for each dimension of the vector and each position along it, checked
    /// where `in_bounds` does not promise that it is in range.
    fn transfer_rows(
        &mut self,
        memref: Value,
        index: &[Reg],
        dims: &[Option<usize>],
        shape: &[usize],
    ) -> Compiled<Vec<Vec<CheckedIndex>>> {
        let promises = self.get(inherent::IN_BOUNDS)?.unwrap_or_default();
        let (mem, _) = self.mem(memref)?;
        let mut rows = Vec::new();
        for (at, (&dim, &size)) in dims.iter().zip(shape).enumerate() {
            let promised = promises.get(at).and_then(|item| item.as_bool(self.ctx));
            let extent = dim.filter(|_| promised != Some(true)).map(|dim| {
                let (dst, index) = (self.scalar_register(), self.constant(dim as u64));
                self.emit(Instr::Dim { dst, mem, index });
                dst
            });
            let mut row = Vec::new();
            for position in 0..size {
                // A broadcast dimension has no index; its register is not read.
                let place = dim.map_or(0, |dim| self.offset(index[dim], position));
                // Unsigned, so that negative ones are out of range too.
                let inside =
                    extent.map(|extent| self.compare(IntPredicate::Ult, 64, place, extent));
                row.push((place, inside));
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

/// An index into a memref, and whether it is in range where that is checked.
type CheckedIndex = (Reg, Option<Reg>);

/// One lane of a transfer: the memref's element, which it accesses where all conditions hold.
struct TransferLane {
    index: Vec<Reg>,
    conditions: Vec<Reg>,
}

/// The position of each lane's mask. A mask has the dimensions of the memref's slice: those
/// of the vector in the order of the memref's, broadcast ones left out.
fn mask_places(dims: &[Option<usize>], shape: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..dims.len()).filter(|&at| dims[at].is_some()).collect();
    order.sort_by_key(|&at| dims[at]);
    let extents: Vec<usize> = order.iter().map(|&at| shape[at]).collect();
    let strides = row_major_strides(&extents);
    let mut places = Vec::new();
    each_index(shape, |lane| {
        let parts = order.iter().zip(&strides);
        places.push(parts.map(|(&at, stride)| lane[at] * stride).sum());
    });
    places
}
