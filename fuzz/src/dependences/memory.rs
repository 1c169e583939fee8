//! Tracing of memory accesses and of the dependences between them.

use std::ops::Range;
use std::rc::Rc;

use gridloom::dialects::gridloom::{in_bounds_dimensions, is_in_bounds};
use gridloom::dialects::{affine, memref};
use gridloom::ir::body::OpData;
use gridloom::ir::scalar::{Accumulate, ScalarKind};
use gridloom::ir::{Type, Value};

use super::machine::{Cell, Frame, Held, Machine};
use super::scalars::{float, integer};
use super::term::{Datum, Term, hashed};
use super::{MARKED, Untraced};
use crate::eval::{Access, OUT_OF_RANGE, View, subscripts};

impl<'m> Machine<'m> {
    /// Memory for an argument of `@main`, with its elements.
    pub fn argument(
        &mut self,
        ty: Type,
        sizes: &[i64],
        elements: &[u64],
    ) -> Result<Rc<View>, Untraced> {
        let ty = self.mem_type(ty)?;
        let view = self.memory.allocate(&ty, sizes.to_vec())?;
        for (number, (at, &bits)) in subscripts(sizes).iter().zip(elements).enumerate() {
            self.memory.write(&view, at, bits)?;
            let place = self.memory.place(&view, at)?;
            let term = Term::of(("argument", view.buffer, number));
            let datum = Datum { bits, term };
            self.arguments = view.buffer + 1;
            self.note_write(view.buffer, place.start, datum);
            self.fill(&view, place, datum, false);
        }
        Ok(Rc::new(view))
    }

    /// The terms and bits of a memref's elements.
    pub fn left(&mut self, view: &View) -> Result<(Vec<u64>, Vec<u64>), Untraced> {
        let mut left = (Vec::new(), Vec::new());
        for at in subscripts(&view.sizes) {
            let place = self.memory.place(view, &at)?;
            let datum = self.held(view, place, &at)?;
            left.0.push(datum.hash());
            left.1.push(datum.bits);
        }
        Ok(left)
    }

    /// Sets the value of bytes.
    fn fill(&mut self, view: &View, place: Range<usize>, datum: Datum, written: bool) {
        let datum = Rc::new(datum);
        for (byte, at) in place.enumerate() {
            let cell = Cell {
                datum: Rc::clone(&datum),
                byte,
                written,
                reads: 0,
            };
            self.cells.insert((view.buffer, at), cell);
        }
    }

    /// The value that an element holds.
    fn held(&self, view: &View, place: Range<usize>, at: &[i64]) -> Result<Datum, Untraced> {
        if !self.memory.is_written(place.clone(), view) {
            // Unwritten elements may be copied, as long as no result depends on them.
            let term = Term::of("nothing");
            return Ok(Datum { bits: 0, term });
        }
        let bits = self.memory.read(view, at)?;
        let cells = place
            .clone()
            .map(|byte| self.cells.get(&(view.buffer, byte)));
        let cells: Option<Vec<&Cell>> = cells.collect();
        let cells = cells.ok_or("bytes that nothing has written")?;
        let whole = cells.iter().enumerate().all(|(number, cell)| {
            cell.byte == number && cell.datum.hash() == cells[0].datum.hash()
        });
        if whole && cells[0].datum.bits == bits {
            return Ok(*cells[0].datum);
        }
        let parts: Vec<(u64, usize)> = cells
            .iter()
            .map(|cell| (cell.datum.hash(), cell.byte))
            .collect();
        let term = Term::of(("bytes", hashed(parts)));
        Ok(Datum { bits, term })
    }

    /// Checks an access against concurrent ones.
    fn touch(&mut self, view: &View, place: Range<usize>, access: Access) {
        for watch in &mut self.watches {
            if watch.races(view.buffer, place.clone(), access) {
                self.trace.unordered.get_or_insert(self.loc);
            }
        }
    }

    /// Reads an element.
    pub fn read(&mut self, view: &View, at: &[i64], access: Access) -> Result<Datum, Untraced> {
        let place = self.memory.place(view, at)?;
        self.touch(view, place.clone(), access);
        let datum = self.held(view, place.clone(), at)?;
        if let Some(cell) = self.cells.get_mut(&(view.buffer, place.start)) {
            cell.reads += 1;
            self.trace.counts.flow += u64::from(cell.written);
        }
        Ok(datum)
    }

    /// Writes an element.
    pub fn write(
        &mut self,
        view: &View,
        at: &[i64],
        datum: Datum,
        access: Access,
    ) -> Result<(), Untraced> {
        let place = self.memory.place(view, at)?;
        self.touch(view, place.clone(), access);
        if let Some(cell) = self.cells.get(&(view.buffer, place.start)) {
            self.trace.counts.anti += cell.reads;
            self.trace.counts.output += u64::from(cell.written);
        }
        self.memory.write(view, at, datum.bits)?;
        self.note_write(view.buffer, place.start, datum);
        self.fill(view, place, datum, true);
        Ok(())
    }

    /// Copies all elements; reads come before writes.
    pub fn copy(&mut self, from: &View, to: &View) -> Result<(), Untraced> {
        if from.sizes != to.sizes {
            return Err("a copy between different shapes".to_owned());
        }
        let all = subscripts(&from.sizes);
        let read = all.iter().map(|at| self.read(from, at, Access::Read));
        let data: Vec<Datum> = read.collect::<Result<_, _>>()?;
        all.iter()
            .zip(data)
            .try_for_each(|(at, datum)| self.write(to, at, datum, Access::Write))
    }

    /// Traces `memref` operations, and memory accesses of `affine`.
    pub fn memref(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let done = self.access(frame, data);
        match done {
            Err(why) if why == OUT_OF_RANGE && self.is_promise_broken(frame, data)? => {
                Err(MARKED.to_owned())
            }
            done => done,
        }
    }

    /// Whether the flag of an access that is out of range names an index that is.
    fn is_promise_broken(&self, frame: &Frame<'m>, data: &'m OpData) -> Result<bool, Untraced> {
        let operands = &data.operands;
        let (memref, at) = match data.name {
            _ if is_in_bounds(self.ctx, data) => return Ok(true),
            memref::LOAD => (operands[0], frame.ints(&operands[1..])?),
            memref::STORE => (operands[1], frame.ints(&operands[2..])?),
            affine::LOAD => (
                operands[0],
                self.map_ints(frame, data, "map", &operands[1..])?,
            ),
            affine::STORE => (
                operands[1],
                self.map_ints(frame, data, "map", &operands[2..])?,
            ),
            _ => return Ok(false),
        };
        let sizes = &frame.view(memref)?.sizes;
        let known = in_bounds_dimensions(self.ctx, data, at.len());
        let mut dims = known.iter().zip(at.iter().zip(sizes));
        Ok(dims.any(|(&is_known, (at, size))| is_known && !(0..*size).contains(at)))
    }

    fn access(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let operands = &data.operands;
        match data.name {
            memref::LOAD => {
                let at = frame.ints(&operands[1..])?;
                self.load(frame, data, operands[0], &at)
            }
            affine::LOAD => {
                let at = self.map_ints(frame, data, "map", &operands[1..])?;
                self.load(frame, data, operands[0], &at)
            }
            memref::STORE => {
                let at = frame.ints(&operands[2..])?;
                self.store(frame, operands[0], operands[1], &at)
            }
            affine::STORE => {
                let at = self.map_ints(frame, data, "map", &operands[2..])?;
                self.store(frame, operands[0], operands[1], &at)
            }
            affine::VECTOR_LOAD => {
                let at = self.map_ints(frame, data, "map", &operands[1..])?;
                self.vector_load(frame, data, operands[0], &at)
            }
            affine::VECTOR_STORE => {
                let at = self.map_ints(frame, data, "map", &operands[2..])?;
                self.vector_store(frame, operands[0], operands[1], &at)
            }
            memref::COPY => {
                let (from, to) = (frame.view(operands[0])?, frame.view(operands[1])?);
                self.copy(&from, &to)
            }
            memref::ATOMIC_RMW => self.atomic(frame, data),
            _ => self.views(frame, data),
        }
    }

    fn load(
        &mut self,
        frame: &mut Frame<'m>,
        data: &OpData,
        from: Value,
        at: &[i64],
    ) -> Result<(), Untraced> {
        let view = frame.view(from)?;
        let datum = self.read(&view, at, Access::Read)?;
        frame.set(data.result(0), Held::scalar(datum));
        Ok(())
    }

    fn store(
        &mut self,
        frame: &Frame<'m>,
        value: Value,
        to: Value,
        at: &[i64],
    ) -> Result<(), Untraced> {
        let view = frame.view(to)?;
        self.write(&view, at, frame.datum(value)?, Access::Write)
    }

    fn atomic(&mut self, frame: &mut Frame<'m>, data: &OpData) -> Result<(), Untraced> {
        let number = self.attr(data, "kind")?.as_i64(self.ctx);
        let how = number.and_then(Accumulate::from_number);
        let new = frame.datum(data.operands[0])?;
        let view = frame.view(data.operands[1])?;
        let at = frame.ints(&data.operands[2..])?;
        let kind = self.kind(frame.body.ty(data.operands[0]))?;
        let old = self.read(&view, &at, Access::Update)?;
        let how = how.ok_or_else(|| self.unknown(data))?;
        let combined = accumulated(how, kind, old, new).ok_or_else(|| self.unknown(data))?;
        self.write(&view, &at, combined, Access::Update)?;
        frame.set(data.result(0), Held::scalar(old));
        Ok(())
    }

    /// The subscripts of each lane of a vector whose first lane is at `at`.
    pub fn lane_places(&self, ty: Type, at: &[i64]) -> Result<Vec<Vec<i64>>, Untraced> {
        let gridloom::ir::TypeKind::Vector { shape, .. } = ty.kind(self.ctx) else {
            return Err("a vector was expected".to_owned());
        };
        let outer = at
            .len()
            .checked_sub(shape.len())
            .ok_or("too many dimensions")?;
        let moved = |lane: &Vec<i64>| {
            let inner = at[outer..]
                .iter()
                .zip(lane)
                .map(|(at, by)| at.wrapping_add(*by));
            at[..outer].iter().copied().chain(inner).collect()
        };
        Ok(subscripts(shape).iter().map(moved).collect())
    }

    pub fn vector_load(
        &mut self,
        frame: &mut Frame<'m>,
        data: &OpData,
        from: Value,
        at: &[i64],
    ) -> Result<(), Untraced> {
        let view = frame.view(from)?;
        let places = self.lane_places(frame.body.ty(data.result(0)), at)?;
        let lanes = places.iter().map(|at| self.read(&view, at, Access::Read));
        let lanes = lanes.collect::<Result<_, _>>()?;
        self.set_data(frame, data.result(0), lanes);
        Ok(())
    }

    pub fn vector_store(
        &mut self,
        frame: &Frame<'m>,
        value: Value,
        to: Value,
        at: &[i64],
    ) -> Result<(), Untraced> {
        let view = frame.view(to)?;
        let places = self.lane_places(frame.body.ty(value), at)?;
        let lanes = self.data(frame, value)?;
        places
            .iter()
            .zip(lanes)
            .try_for_each(|(at, datum)| self.write(&view, at, datum, Access::Write))
    }
}

/// The value after an accumulation.
pub(super) fn accumulated(
    how: Accumulate,
    kind: ScalarKind,
    old: Datum,
    new: Datum,
) -> Option<Datum> {
    match how {
        Accumulate::Float(op) => Some(float(op, kind, old, new)),
        Accumulate::Int(op) => integer(op, kind, old, new),
        Accumulate::Assign => Some(new),
    }
}
