//! Evaluation of DMA transfers, whose elements move at the wait. Until then nothing may access the target nor write the source,
//! so that a program cannot tell when they move.

use std::ops::Range;

use super::memory::View;
use super::{Access, Frame, Machine, Undefined};
use crate::program::{Place, Transfer, Var};

/// Transfer between its start and its wait: each side as bytes of a buffer.
#[derive(Clone, Debug)]
pub struct InFlight {
    /// Statement number of the start.
    pub stmt: u32,
    tag: (usize, usize),
    count: i64,
    pub(super) from: (usize, Range<usize>),
    pub(super) to: (usize, Range<usize>),
}

/// Whether two byte ranges of buffers share a byte.
fn meet(left: &(usize, Range<usize>), right: &(usize, Range<usize>)) -> bool {
    left.0 == right.0 && left.1.start < right.1.end && right.1.start < left.1.end
}

impl InFlight {
    /// Whether an access of these bytes could tell when the elements move.
    pub(super) fn is_beside(&self, buffer: usize, bytes: &Range<usize>, access: Access) -> bool {
        let bytes = (buffer, bytes.clone());
        meet(&self.to, &bytes) || access != Access::Read && meet(&self.from, &bytes)
    }

    /// Whether the transfer has a part in a buffer.
    pub(super) fn is_of(&self, buffer: usize) -> bool {
        [self.from.0, self.to.0, self.tag.0].contains(&buffer)
    }
}

impl Machine<'_> {
    /// Starts a transfer.
    pub(super) fn start(
        &mut self,
        frame: &Frame,
        stmt: u32,
        transfer: &Transfer,
    ) -> Result<(), Undefined> {
        let count = frame.int(transfer.count)?;
        let started = InFlight {
            stmt,
            tag: self.tag(frame, &transfer.tag)?,
            count,
            from: self.side(frame, &transfer.from, count)?,
            to: self.side(frame, &transfer.to, count)?,
        };
        if meet(&started.from, &started.to) {
            return Err(Undefined::new("a transfer onto itself"));
        }
        for other in &self.memory.transfers {
            let clashes = [
                (&started.to, &other.to),
                (&started.to, &other.from),
                (&started.from, &other.to),
            ];
            if other.tag == started.tag || clashes.iter().any(|(left, right)| meet(left, right)) {
                return Err(Undefined::new("a transfer beside another one"));
            }
        }
        self.memory.transfers.push(started);
        Ok(())
    }

    /// Waits for a transfer, which moves its elements.
    pub(super) fn wait(&mut self, frame: &Frame, tag: &Place, count: Var) -> Result<(), Undefined> {
        let tag = self.tag(frame, tag)?;
        let transfers = &mut self.memory.transfers;
        let found = transfers.iter().position(|transfer| transfer.tag == tag);
        let found = found.ok_or("a wait for nothing")?;
        if transfers[found].count != frame.int(count)? {
            return Err(Undefined::new("a wait for another number of elements"));
        }
        let transfer = transfers.remove(found);
        self.memory.move_bytes(&transfer.from, &transfer.to)?;
        let sides = [(transfer.from, Access::Read), (transfer.to, Access::Write)];
        for ((buffer, bytes), access) in sides {
            self.touch_bytes(buffer, bytes, access)?;
        }
        Ok(())
    }

    fn tag(&self, frame: &Frame, tag: &Place) -> Result<(usize, usize), Undefined> {
        let view = frame.view(tag.mem)?;
        let at = self.subscript(frame, &tag.at)?;
        Ok((view.buffer, self.memory.place(&view, &at)?.start))
    }

    /// The bytes of elements that follow each other from a place on.
    fn side(
        &self,
        frame: &Frame,
        place: &Place,
        count: i64,
    ) -> Result<(usize, Range<usize>), Undefined> {
        let view = frame.view(place.mem)?;
        let at = self.subscript(frame, &place.at)?;
        let first = self.memory.place(&view, &at)?;
        let last: Vec<i64> = view.sizes.iter().map(|size| size - 1).collect();
        let end = self.memory.place(&view, &last)?.end;
        let bytes = usize::try_from(count).ok().filter(|&count| count > 0);
        let bytes = bytes.ok_or("a transfer of no elements")? * first.len();
        match is_dense(&view) && first.start + bytes <= end {
            true => Ok((view.buffer, first.start..first.start + bytes)),
            false => Err(Undefined::new("a transfer beyond its memref")),
        }
    }
}

/// Whether the elements of a view follow each other in memory.
fn is_dense(view: &View) -> bool {
    let (_, strides) = view.layout();
    let mut next = 1;
    strides
        .iter()
        .zip(&view.sizes)
        .rev()
        .all(|(&stride, &size)| {
            let is_next = stride == next;
            next *= size;
            is_next
        })
}
