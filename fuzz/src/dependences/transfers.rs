//! Tracing of vector memory operations, and of DMA transfers.

use gridloom::dialects::memory_space::MemorySpaces;
use gridloom::dialects::{affine, vector};
use gridloom::ir::OpId;
use gridloom::ir::affine::AffineExprKind;
use gridloom::ir::body::OpData;

use super::Untraced;
use super::machine::{Frame, Held, Machine};
use crate::eval::Access;

impl<'m> Machine<'m> {
    /// Traces `vector` operations that move lanes from and to memory.
    pub fn vector(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let operands = &data.operands;
        match data.name {
            vector::LOAD => {
                let at = frame.ints(&operands[1..])?;
                self.vector_load(frame, data, operands[0], &at)
            }
            vector::STORE => {
                let at = frame.ints(&operands[2..])?;
                self.vector_store(frame, operands[0], operands[1], &at)
            }
            vector::MASKEDLOAD | vector::MASKEDSTORE => self.masked(frame, data),
            vector::BROADCAST if self.lanes(frame.body.ty(operands[0])) == 1 => {
                let datum = self.data(frame, operands[0])?[0];
                let lanes = vec![datum; self.lanes(frame.body.ty(data.result(0)))];
                self.set_data(frame, data.result(0), lanes);
                Ok(())
            }
            vector::FROM_ELEMENTS => {
                let lanes = operands.iter().map(|&value| frame.datum(value));
                let lanes = lanes.collect::<Result<_, _>>()?;
                self.set_data(frame, data.result(0), lanes);
                Ok(())
            }
            vector::TO_ELEMENTS => {
                let lanes = self.data(frame, operands[0])?.into_iter().map(Held::scalar);
                self.set_results(frame, data, lanes.collect());
                Ok(())
            }
            vector::TRANSFER_READ | vector::TRANSFER_WRITE => self.transfer(frame, data),
            _ => Err(self.unknown(data)),
        }
    }

    /// Traces a vector transfer with a minor-identity map; lanes out of range are padding.
    fn transfer(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let groups = self.groups(data)?;
        let reads = data.name == vector::TRANSFER_READ;
        let (source, rest) = groups.split_first().ok_or("a transfer without operands")?;
        let (vector, view, indices) = match reads {
            true => (data.result(0), source[0], rest[0]),
            false => (source[0], rest[0][0], rest[1]),
        };
        let map = self.attr(data, "permutation_map")?.as_map(self.ctx);
        let map = map.ok_or("a map was expected")?;
        let inputs = map.num_inputs(self.ctx);
        let outer = inputs - map.results(self.ctx).len();
        let is_minor = map
            .results(self.ctx)
            .iter()
            .enumerate()
            .all(|(number, result)| {
                result.kind(self.ctx) == AffineExprKind::Dim((outer + number) as u32)
            });
        if !is_minor || groups.last().is_some_and(|mask| !mask.is_empty()) {
            return Err(self.unknown(data));
        }
        let view = frame.view(view)?;
        let places = self.lane_places(frame.body.ty(vector), &frame.ints(indices)?)?;
        let inside = |at: &Vec<i64>| {
            at.iter()
                .zip(&view.sizes)
                .all(|(at, size)| (0..*size).contains(at))
        };
        if reads {
            let padding = frame.datum(rest[1][0])?;
            let lanes = places.iter().map(|at| match inside(at) {
                true => self.read(&view, at, Access::Read),
                false => Ok(padding),
            });
            let lanes = lanes.collect::<Result<_, _>>()?;
            self.set_data(frame, vector, lanes);
            return Ok(());
        }
        for (at, datum) in places.iter().zip(self.data(frame, vector)?) {
            if inside(at) {
                self.write(&view, at, datum, Access::Write)?;
            }
        }
        Ok(())
    }

    fn masked(&mut self, frame: &mut Frame<'m>, data: &OpData) -> Result<(), Untraced> {
        let view = frame.view(data.operands[0])?;
        let (indices, last) = data.operands[1..].split_at(data.operands.len() - 3);
        let at = frame.ints(indices)?;
        let (mask, value) = (self.data(frame, last[0])?, self.data(frame, last[1])?);
        let places = self.lane_places(frame.body.ty(last[1]), &at)?;
        let mut lanes = Vec::new();
        for ((at, lane), set) in places.iter().zip(value).zip(mask) {
            let is_set = set.bits & 1 != 0;
            lanes.push(match data.num_results() {
                1 if is_set => self.read(&view, at, Access::Read)?,
                0 if is_set => {
                    self.write(&view, at, lane, Access::Write)?;
                    lane
                }
                _ => lane,
            });
        }
        if data.num_results() == 1 {
            self.set_data(frame, data.result(0), lanes);
        }
        Ok(())
    }

    /// Traces an affine `dma_start`: the elements move at once, since their uses follow the wait. A
    /// `dma_wait` does nothing.
    pub fn dma(&mut self, frame: &mut Frame<'m>, op: OpId) -> Result<(), Untraced> {
        let data = &frame.body[op];
        if data.name != affine::DMA_START {
            return Ok(());
        }
        let parts = affine::DmaStartOp(op).parts(self.ctx, frame.body);
        let parts = parts.ok_or_else(|| self.unknown(data))?;
        let spaces = MemorySpaces::default();
        let speed = |value| spaces.of_type(self.ctx, frame.body.ty(value)).speed;
        // The stride applies to the slower memory.
        let source_is_slower = speed(parts.source.memref) < speed(parts.target.memref);
        let count = frame.int(parts.num_elements)?;
        let chunks = match parts.stride {
            Some((stride, each)) => Some((frame.int(stride)?, frame.int(each)?.max(1))),
            None => None,
        };
        let mut sides = Vec::new();
        for (place, is_strided) in [
            (parts.source, source_is_slower),
            (parts.target, !source_is_slower),
        ] {
            let view = frame.view(place.memref)?;
            let at = self.applied(frame, place.map, place.operands)?;
            let at: Vec<i64> = at.iter().map(|datum| datum.bits as i64).collect();
            let first = view.position(&at);
            let at = |number: i64| match chunks.filter(|_| is_strided) {
                Some((stride, each)) => first + number / each * stride + number % each,
                None => first + number,
            };
            let places: Vec<i64> = (0..count).map(at).collect();
            sides.push((view.reinterpreted(0, vec![1 << 40], vec![1]), places));
        }
        for (&from, &to) in sides[0].1.iter().zip(&sides[1].1) {
            let datum = self.read(&sides[0].0, &[from], Access::Read)?;
            self.write(&sides[1].0, &[to], datum, Access::Write)?;
        }
        Ok(())
    }
}
