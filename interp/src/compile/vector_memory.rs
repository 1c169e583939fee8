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
            vector::TRANSFER_READ => self.transfer(op, 0)?,
            vector::TRANSFER_WRITE => self.transfer(op, 1)?,
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

    /// Compiles `transfer_read` (`first` is 0) and `transfer_write` (1, after the value).
    fn transfer(&mut self, op: OpId, first: usize) -> Compiled {
        let data = &self.body[op];
        let memref = data.operands[first];
        if self.body.ty(memref).memref(self.ctx).is_none() {
            return self.error("the interpreter transfers to and from memrefs only");
        }
        let groups = self.segments()?;
        let (indices, mask) = match first {
            0 => (&groups[1], &groups[3]),
            _ => (&groups[2], &groups[3]),
        };
        let index = self.scalars(indices)?;
        let map = self.map(inherent::PERMUTATION_MAP)?;
        let in_bounds = self.get(inherent::IN_BOUNDS)?;
        let in_bounds: Vec<bool> = in_bounds
            .unwrap_or_default()
            .iter()
            .map(|item| item.as_bool(self.ctx).unwrap_or(false))
            .collect();
        let value = match first {
            0 => data.result(0),
            _ => data.operands[0],
        };
        let (shape, _) = self.vector_shape(self.body.ty(value))?;
        // The memref's dimension of each of the vector's; none for a broadcast one.
        let mut dims = Vec::new();
        for &expr in map.results(self.ctx) {
            dims.push(match expr.kind(self.ctx) {
                AffineExprKind::Dim(dim) if (dim as usize) < index.len() => Some(dim as usize),
                AffineExprKind::Constant(0) => None,
                _ => return self.error("the map is no projected permutation"),
            });
        }
        let (mem, _) = self.mem(memref)?;
        // For each dimension and lane along it: the index, and whether it is in range.
        let mut rows: Vec<Vec<(Reg, Option<Reg>)>> = Vec::new();
        for (at, (&dim, &size)) in dims.iter().zip(&shape).enumerate() {
            let checked = dim.filter(|_| !in_bounds.get(at).copied().unwrap_or(false));
            let limit = match checked {
                Some(dim) => {
                    let (dst, number) = (self.scalar_register(), self.constant(dim as u64));
                    self.emit(Instr::Dim {
                        dst,
                        mem,
                        index: number,
                    });
                    Some(dst)
                }
                None => None,
            };
            let mut row = Vec::new();
            for number in 0..size {
                let place = match dim {
                    Some(dim) => self.offset(index[dim], number),
                    None => 0,
                };
                // Unsigned, so that negative ones are out of range too.
                let inside = limit.map(|b| {
                    let dst = self.scalar_register();
                    self.emit(Instr::IntCmp {
                        pred: IntPredicate::Ult,
                        width: 64,
                        dst,
                        a: place,
                        b,
                    });
                    dst
                });
                row.push((place, inside));
            }
            rows.push(row);
        }
        let mask = match mask.first() {
            Some(&mask) => Some(self.lanes(mask)?),
            None => None,
        };
        let mask_at = mask_places(&dims, &shape);
        let mut lanes = Vec::new();
        each_index(&shape, |lane| lanes.push(lane.to_vec()));
        let source = match first {
            0 => None,
            _ => Some(self.lanes(value)?),
        };
        let padding = match first {
            0 => Some(self.scalar(groups[2][0])?),
            _ => None,
        };
        let mut regs = Vec::new();
        for (number, lane) in lanes.iter().enumerate() {
            let mut place = index.clone();
            let mut skips = Vec::new();
            let dst = self.scalar_register();
            if let Some(src) = padding {
                self.emit(Instr::Move { dst, src });
            }
            for ((row, &i), &dim) in rows.iter().zip(lane).zip(&dims) {
                let (at, inside) = row[i];
                if let Some(dim) = dim {
                    place[dim] = at;
                }
                if let Some(cond) = inside {
                    skips.push(self.emit(Instr::JumpIfNot { cond, to: 0 }));
                }
            }
            if let Some(mask) = &mask {
                let cond = mask.regs.get(mask_at[number]).copied();
                let Some(cond) = cond else {
                    return self.error("the mask does not fit the transfer");
                };
                skips.push(self.emit(Instr::JumpIfNot { cond, to: 0 }));
            }
            match &source {
                None => self.read_element(memref, &place, dst)?,
                Some(source) => self.write_element(memref, &place, source.regs[number])?,
            }
            for skip in skips {
                self.patch(skip);
            }
            regs.push(dst);
        }
        match first {
            0 => self.set_lanes(value, &regs),
            _ => Ok(()),
        }
    }
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
