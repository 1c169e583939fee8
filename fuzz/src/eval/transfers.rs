//! Evaluation of DMA transfers, whose elements move at the wait. Until then nothing may access the target nor write the source,
//! so that a program cannot tell when they move.

use std::ops::Range;

use super::memory::View;
use super::{Access, Frame, Machine, Undefined};
use crate::program::{Place, Transfer, Var};

/// Transfer between its start and its wait.
#[derive(Clone, Debug)]
pub struct InFlight {
    /// Statement number of the start.
    pub stmt: u32,
    tag: (usize, usize),
    count: i64,
    from: Side,
    to: Side,
}

/// Source or target of a transfer: bytes of a buffer, in the order in which they move.
#[derive(Clone, Debug)]
pub struct Side {
    pub(super) buffer: usize,
    pub(super) pieces: Vec<Range<usize>>,
}

impl Side {
    /// Whether the two share a byte.
    fn meets(&self, other: &Side) -> bool {
        let meet = |left: &Range<usize>, right: &Range<usize>| {
            left.start < right.end && right.start < left.end
        };
        let meets_any = |left| other.pieces.iter().any(|right| meet(left, right));
        self.buffer == other.buffer && self.pieces.iter().any(meets_any)
    }

    /// The bytes one by one.
    pub(super) fn bytes(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().cloned().flatten()
    }
}

impl InFlight {
    /// Whether an access of these bytes could tell when the elements move.
    pub(super) fn is_beside(&self, buffer: usize, bytes: &Range<usize>, access: Access) -> bool {
        let bytes = Side {
            buffer,
            pieces: vec![bytes.clone()],
        };
        self.to.meets(&bytes) || access != Access::Read && self.from.meets(&bytes)
    }

    /// Whether the transfer has a part in a buffer.
    pub(super) fn is_of(&self, buffer: usize) -> bool {
        [self.from.buffer, self.to.buffer, self.tag.0].contains(&buffer)
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
        let [from, to] = [&transfer.from, &transfer.to];
        let is_slower = self.program.mem(from.mem).space < self.program.mem(to.mem).space;
        let whole = Rows {
            count,
            each: count,
            stride: count,
        };
        let rows = match transfer.rows {
            Some((stride, each)) => Rows {
                count,
                each: frame.int(each)?,
                stride: frame.int(stride)?,
            },
            None => whole,
        };
        let [first, second] = if is_slower {
            [rows, whole]
        } else {
            [whole, rows]
        };
        let started = InFlight {
            stmt,
            tag: self.tag(frame, &transfer.tag)?,
            count,
            from: self.side(frame, from, first)?,
            to: self.side(frame, to, second)?,
        };
        if started.from.meets(&started.to) {
            return Err(Undefined::new("a transfer onto itself"));
        }
        for other in &self.memory.transfers {
            let clashes = [
                (&started.to, &other.to),
                (&started.to, &other.from),
                (&started.from, &other.to),
            ];
            if other.tag == started.tag || clashes.iter().any(|(left, right)| left.meets(right)) {
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
        for (side, access) in sides {
            for bytes in side.pieces {
                self.touch_bytes(side.buffer, bytes, access)?;
            }
        }
        Ok(())
    }

    fn tag(&self, frame: &Frame, tag: &Place) -> Result<(usize, usize), Undefined> {
        let view = frame.view(tag.mem)?;
        let at = self.subscript(frame, &tag.at)?;
        Ok((view.buffer, self.memory.place(&view, &at)?.start))
    }

    /// The bytes of rows of elements from a place on.
    fn side(&self, frame: &Frame, place: &Place, rows: Rows) -> Result<Side, Undefined> {
        let view = frame.view(place.mem)?;
        let at = self.subscript(frame, &place.at)?;
        let first = self.memory.place(&view, &at)?;
        let last: Vec<i64> = view.sizes.iter().map(|size| size - 1).collect();
        let end = self.memory.place(&view, &last)?.end;
        if rows.count < 1 || rows.each < 1 || rows.stride < rows.each || !is_dense(&view) {
            return Err(Undefined::new("a transfer of another form"));
        }
        let mut pieces = Vec::new();
        let mut left = rows.count;
        while left > 0 {
            let begin = first.start as i64 + pieces.len() as i64 * rows.stride * first.len() as i64;
            let piece = begin as usize..begin as usize + rows.each.min(left) as usize * first.len();
            if piece.end > end {
                return Err(Undefined::new("a transfer beyond its memref"));
            }
            pieces.push(piece);
            left -= rows.each;
        }
        Ok(Side {
            buffer: view.buffer,
            pieces,
        })
    }
}

/// Elements of a transfer: `each` of them follow each other, in rows `stride` elements apart.
#[derive(Clone, Copy)]
struct Rows {
    count: i64,
    each: i64,
    stride: i64,
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
