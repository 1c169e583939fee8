//! Copies and fills: rows of elements that follow each other in memory at once, and element by element what is not checked to be
//! possible so.

use std::convert::Infallible;
use std::ops::Range;

use super::contents::has_no_padding;
use super::{AccessError, Allocation, Memory};
use crate::fault::FaultKind;
use crate::memref::{MemRef, for_each_index};
use crate::scalar::ScalarKind;

impl Memory {
    /// Copies every element of `source` to the same index of `target`, as if
    /// all were read before the first is written. The sizes are equal.
    pub fn copy(
        &mut self,
        source: &MemRef,
        target: &MemRef,
        kind: ScalarKind,
    ) -> Result<(), FaultKind> {
        self.get_mut(target.alloc)?.copy_lent();
        if self.copy_rows(source, target, kind)? {
            return Ok(());
        }
        self.get_mut(source.alloc)?.copy_lent();
        let mut values = Vec::new();
        let count = usize::try_from(source.num_elements()).unwrap_or(usize::MAX);
        let reserved = values.try_reserve_exact(count);
        reserved.map_err(|_| self.refused((count as u64).saturating_mul(8)))?;
        source.for_each_position(|position| {
            // A copy of an uninitialised element is no use of it.
            values.push(match self.read(source, position, kind) {
                Err(AccessError::Uninitialised) => None,
                other => Some(other?),
            });
            Ok(())
        })?;
        let mut values = values.into_iter();
        target.for_each_position(|position| match values.next().flatten() {
            Some(value) => Ok(self.write(target, position, kind, value)?),
            None => Ok(self.forget(target, position, kind)?),
        })
    }

    /// Copies by rows; `false` where elements have to be copied one by one, which may have begun then: the views share a buffer, or
    /// leave theirs, or there are elements that nothing has written.
    fn copy_rows(
        &mut self,
        source: &MemRef,
        target: &MemRef,
        kind: ScalarKind,
    ) -> Result<bool, FaultKind> {
        let are_apart = source.alloc != target.alloc && has_no_padding(kind);
        if !are_apart || !self.contains(source, kind)? || !self.contains(target, kind)? {
            return Ok(false);
        }
        let size = kind.size();
        let rows = Rows::of([source, target]);
        let slots = [source.alloc.slot as usize, target.alloc.slot as usize];
        let Ok([from, to]) = self.allocations.get_disjoint_mut(slots) else {
            return Ok(false);
        };
        to.note_host_write();
        let mut is_written = true;
        rows.for_each(|[at, target_at]| {
            let bytes = row_of(source, at, rows.length, size);
            let target_bytes = row_of(target, target_at, rows.length, size);
            is_written &= (from.written.as_ref()).is_none_or(|bits| are_set(bits, bytes.clone()));
            if is_written {
                to.bytes[target_bytes.clone()].copy_from_slice(&from.bytes()[bytes]);
                to.note_written(target_bytes);
            }
        });
        Ok(is_written)
    }

    /// Sets every element of a view.
    pub fn fill(&mut self, target: &MemRef, kind: ScalarKind, value: u64) -> Result<(), FaultKind> {
        if !self.contains(target, kind)? {
            return target
                .for_each_position(|position| Ok(self.write(target, position, kind, value)?));
        }
        let size = kind.size();
        let value = value.to_le_bytes();
        let rows = Rows::of([target]);
        let allocation = self.get_mut(target.alloc)?;
        allocation.copy_lent();
        allocation.note_host_write();
        rows.for_each(|[at]| {
            let bytes = row_of(target, at, rows.length, size);
            repeat(&value[..size], &mut allocation.bytes[bytes.clone()]);
            allocation.note_written(bytes);
        });
        Ok(())
    }

    /// Whether all elements of a view lie in its buffer.
    fn contains(&self, view: &MemRef, kind: ScalarKind) -> Result<bool, AccessError> {
        let bytes = self.get(view.alloc)?.size();
        let within = |(low, high): (i128, i128)| {
            let room = bytes.saturating_sub(view.base) / kind.size();
            low >= 0 && high < room as i128
        };
        Ok(view.extent().is_none_or(within))
    }

    /// Whether a view has all bytes of its buffer.
    ///
    /// # Errors
    /// The buffer is gone.
    pub fn is_whole(&self, view: &MemRef, kind: ScalarKind) -> Result<bool, FaultKind> {
        let dense = self.dense(view, kind)?;
        Ok(has_no_padding(kind) && dense == Some(0..self.get(view.alloc)?.size()))
    }

    /// Marks an element as uninitialised.
    fn forget(&mut self, view: &MemRef, linear: i64, kind: ScalarKind) -> Result<(), AccessError> {
        self.write(view, linear, kind, 0)?;
        let (_, at) = self.locate(view, linear, kind)?;
        if let Some(written) = &mut self.get_mut(view.alloc)?.written {
            for byte in at..at + kind.size() {
                written[byte / 64] &= !(1 << (byte % 64));
            }
        }
        Ok(())
    }
}

impl Allocation {
    /// Makes the host copy current for writes of all bytes: neither the device's contents nor lent ones matter.
    pub(crate) fn begin_anew(&mut self) {
        self.lent = None;
        self.set_host_current(true);
        self.note_host_write();
    }

    fn note_written(&mut self, bytes: Range<usize>) {
        if let Some(written) = &mut self.written {
            for (word, bits) in words(bytes) {
                written[word] |= bits;
            }
        }
    }
}

/// Views of the same sizes in rows: the innermost dimensions along which the elements of each follow each other.
struct Rows<'v, const N: usize> {
    views: [&'v MemRef; N],
    /// Dimensions around the rows.
    outer: usize,
    /// Elements of a row.
    length: usize,
}

impl<'v, const N: usize> Rows<'v, N> {
    /// The rows of views that lie in their buffers.
    fn of(views: [&'v MemRef; N]) -> Self {
        let sizes = &views[0].sizes;
        let (mut outer, mut length) = (sizes.len(), 1);
        while let Some(dim) = outer.checked_sub(1)
            && (sizes[dim] == 1 || views.iter().all(|view| view.strides[dim] == length))
        {
            length *= sizes[dim];
            outer = dim;
        }
        Rows {
            views,
            outer,
            length: length.max(0) as usize,
        }
    }

    /// Calls `visit` with the position of the first element of each row in each view.
    fn for_each(&self, mut visit: impl FnMut([i64; N])) {
        let visited = for_each_index(self.views, self.outer, |at| {
            visit(at);
            Ok::<(), Infallible>(())
        });
        match visited {
            Ok(()) => {}
        }
    }
}

/// The bytes of a row in its buffer, in which it lies.
fn row_of(view: &MemRef, first: i64, length: usize, size: usize) -> Range<usize> {
    let start = view.base + first as usize * size;
    start..start + length * size
}

/// Fills a row, which is not empty, with an element.
fn repeat(element: &[u8], row: &mut [u8]) {
    row[..element.len()].copy_from_slice(element);
    let mut filled = element.len();
    while filled < row.len() {
        let next = filled.min(row.len() - filled);
        row.copy_within(..next, filled);
        filled += next;
    }
}

/// The words that hold the bits of some bytes, with these bits set.
fn words(bytes: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    (bytes.start / 64..bytes.end.div_ceil(64)).map(move |word| {
        let first = bytes.start.max(word * 64) - word * 64;
        let end = bytes.end.min(word * 64 + 64) - word * 64;
        (word, u64::MAX >> (64 - (end - first)) << first)
    })
}

fn are_set(set: &[u64], bytes: Range<usize>) -> bool {
    words(bytes).all(|(word, bits)| set[word] & bits == bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: ScalarKind = ScalarKind::Int(16);

    /// A view of a new buffer of 200 elements.
    fn view(memory: &mut Memory, offset: i64, sizes: &[i64], strides: &[i64]) -> MemRef {
        let alloc = memory.allocate(200, KIND).expect("there is room");
        MemRef {
            alloc,
            base: 0,
            offset,
            sizes: sizes.into(),
            strides: strides.into(),
        }
    }

    /// Values of the elements of a view in row-major order; `None` is one that nothing has written.
    fn elements(memory: &Memory, view: &MemRef) -> Vec<Option<u64>> {
        let mut all = Vec::new();
        let visited = view.for_each_position(|at| {
            all.push(memory.read(view, at, KIND).ok());
            Ok(())
        });
        visited.expect("every visit is right");
        all
    }

    #[test]
    fn copies_by_rows_move_what_copies_of_elements_do() {
        // Rows of all elements, of one dimension, of single elements, and turned round.
        let layouts: [(i64, [i64; 3]); 5] = [
            (0, [35, 7, 1]),
            (3, [50, 9, 1]),
            (1, [1, 3, 21]),
            (104, [-35, -7, -1]),
            (1, [66, 13, 2]),
        ];
        for checked in [false, true] {
            for (from_offset, from_strides) in layouts {
                for (to_offset, to_strides) in layouts {
                    let mut memory = Memory::new(1 << 16, checked);
                    let from = view(&mut memory, from_offset, &[3, 5, 7], &from_strides);
                    let to = view(&mut memory, to_offset, &[3, 5, 7], &to_strides);
                    let mut next = 0;
                    let written = from.for_each_position(|at| {
                        next += 1;
                        // One element is never written.
                        match next {
                            50 => Ok(()),
                            _ => Ok(memory.write(&from, at, KIND, next)?),
                        }
                    });
                    written.expect("the view lies in its buffer");
                    memory.copy(&from, &to, KIND).expect("both views do");
                    let unwritten = if checked { None } else { Some(0) };
                    let wanted: Vec<Option<u64>> = (1..=105)
                        .map(|k| if k == 50 { unwritten } else { Some(k) })
                        .collect();
                    assert_eq!(elements(&memory, &to), wanted, "{from:?} to {to:?}");
                }
            }
        }
    }

    #[test]
    fn rows_change_nothing_beside_them() {
        for checked in [false, true] {
            let mut memory = Memory::new(1 << 16, checked);
            let all = view(&mut memory, 0, &[200], &[1]);
            memory.fill(&all, KIND, 7).expect("the buffer is there");
            let part = MemRef {
                offset: 21,
                sizes: [4, 9].as_slice().into(),
                strides: [20, 1].as_slice().into(),
                ..all.clone()
            };
            memory
                .fill(&part, KIND, 0x1_0203)
                .expect("the part lies in it");
            let is_in =
                |at: i64| (0..4).contains(&((at - 21) / 20)) && at >= 21 && (at - 21) % 20 < 9;
            for (at, element) in (0..).zip(elements(&memory, &all)) {
                let wanted = if is_in(at) { 0x203 } else { 7 };
                assert_eq!(element, Some(wanted), "at {at}");
            }
        }
    }

    #[test]
    fn views_that_leave_their_buffer_are_refused() {
        let mut memory = Memory::new(1 << 16, false);
        let inside = view(&mut memory, 0, &[10], &[1]);
        for (offset, stride) in [(195, 1), (0, 30), (5, -1)] {
            let outside = view(&mut memory, offset, &[10], &[stride]);
            assert_eq!(
                memory.copy(&outside, &inside, KIND),
                Err(FaultKind::ViewOutOfBounds)
            );
            assert_eq!(
                memory.fill(&outside, KIND, 1),
                Err(FaultKind::ViewOutOfBounds)
            );
        }
    }
}
