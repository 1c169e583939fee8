//! DMA transfers in flight, between their `dma_start` and their `dma_wait`.
//!
//! The elements move at the wait. Until then nothing may read or write the
//! destination, write the source, free either, or start a transfer that
//! overlaps, so that no program can distinguish this from a transfer that runs concurrently; one
//! that could is stopped with a fault that names both places.

mod error;

use std::collections::{HashMap, HashSet};

use gridloom_ir::Loc;
use smallvec::SmallVec;

pub use error::{DmaError, DmaFault};

use crate::memory::AllocId;
use crate::memref::MemRef;
use crate::scalar::ScalarKind;

/// One side of a transfer: `count` elements in chunks, the chunks `stride` apart.
/// Elements are counted as they lie in memory, whatever the memref's layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Side {
    pub alloc: AllocId,
    /// Byte offset that element 0 lies at.
    pub base: usize,
    /// The first element.
    pub first: i64,
    /// Elements of a chunk; at least 1.
    pub chunk: i64,
    /// Elements from the start of a chunk to the start of the next.
    pub stride: i64,
    pub count: i64,
    /// Bytes of an element.
    pub size: i64,
}

impl Side {
    fn chunks(&self) -> i64 {
        self.count / self.chunk + i64::from(self.count % self.chunk != 0)
    }

    /// Element positions of a chunk, from the first to the one behind the last.
    fn span(&self, chunk: i64) -> (i128, i128) {
        let start = i128::from(self.first) + i128::from(chunk) * i128::from(self.stride);
        let left = self.count - chunk * self.chunk;
        (start, start + i128::from(left.min(self.chunk)))
    }

    /// The least element position and the one behind the greatest; `None` when
    /// nothing moves.
    pub fn extent(&self) -> Option<(i128, i128)> {
        let last = self.chunks() - 1;
        if last < 0 {
            return None;
        }
        // The chunk before the last one is full, which the last may not be.
        let spans = [0, (last - 1).max(0), last].map(|chunk| self.span(chunk));
        let low = spans.iter().map(|span| span.0).min()?;
        let high = spans.iter().map(|span| span.1).max()?;
        Some((low, high))
    }

    /// Whether two chunks of this side overlap.
    pub fn overlaps_itself(&self) -> bool {
        self.chunks() > 1 && self.stride.saturating_abs() < self.chunk
    }

    /// Whether this side covers a byte of a buffer in `from..to`.
    fn touches(&self, alloc: AllocId, from: i128, to: i128) -> bool {
        if alloc != self.alloc || from >= to {
            return false;
        }
        // In bytes from the first element on.
        let (size, base) = (i128::from(self.size), self.base as i128);
        let start = base + i128::from(self.first) * size;
        let (from, to) = (from - start, to - start);
        let chunks = i128::from(self.chunks());
        let chunk = i128::from(self.chunk) * size;
        let stride = i128::from(self.stride) * size;
        let meets = |number: i128| {
            let at = number * stride;
            let full = number + 1 < chunks || self.count % self.chunk == 0;
            let length = if full {
                chunk
            } else {
                i128::from(self.count % self.chunk) * size
            };
            from < at + length && at < to
        };
        if stride == 0 || chunks <= 4 {
            return (0..chunks.min(4)).any(meets);
        }
        // at + chunk > from and at < to, solved for the number.
        let bounds = [from - chunk, to].map(|at| at.div_euclid(stride));
        let low = bounds[0].min(bounds[1]) - 1;
        let high = bounds[0].max(bounds[1]) + 1;
        let (low, high) = (low.max(0), high.min(chunks - 1));
        // Only the last chunk may be short, so that of many one of the first three is full.
        (low..=high.min(low + 3))
            .chain([high])
            .any(|number| (0..chunks).contains(&number) && meets(number))
    }

    /// Whether two sides share a byte.
    fn overlaps(&self, other: &Side) -> bool {
        if self.alloc != other.alloc {
            return false;
        }
        let (few, many) = match self.chunks() <= other.chunks() {
            true => (self, other),
            false => (other, self),
        };
        (0..few.chunks()).any(|chunk| {
            let (from, to) = few.span(chunk);
            let byte = |at: i128| few.base as i128 + at * i128::from(few.size);
            many.touches(few.alloc, byte(from), byte(to))
        })
    }

    /// The side as views, all of one shape with the other side's: whole chunks as
    /// rows of a matrix, then the rest. `chunk` is that of the strided side.
    pub fn views(&self, chunk: i64) -> SmallVec<[MemRef; 2]> {
        let stride = if self.chunk == chunk {
            self.stride
        } else {
            chunk
        };
        let view = |row: i64, sizes: &[i64], strides: &[i64]| MemRef {
            alloc: self.alloc,
            base: self.base,
            offset: self.first + row * stride,
            sizes: SmallVec::from_slice(sizes),
            strides: SmallVec::from_slice(strides),
        };
        let (rows, rest) = (self.count / chunk, self.count % chunk);
        let mut views = SmallVec::new();
        if rows == 1 {
            views.push(view(0, &[chunk], &[1]));
        } else if rows > 1 {
            views.push(view(0, &[rows, chunk], &[stride, 1]));
        }
        if rest > 0 {
            views.push(view(rows, &[rest], &[1]));
        }
        views
    }
}

/// A transfer that has been started.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    pub source: Side,
    pub target: Side,
    pub kind: ScalarKind,
    pub count: i64,
    /// The start.
    pub loc: Loc,
    /// Tags of the transfer: one, or one of each thread where tags are private.
    pub tags: SmallVec<[Tag; 1]>,
    /// A transfer of a whole workgroup: the threads that have started it and
    /// those that wait for it.
    pub group: Option<Group>,
}

impl Transfer {
    /// Returns both sides as pairs of views of one shape.
    pub fn views(&self) -> impl Iterator<Item = (MemRef, MemRef)> {
        let chunk = self.source.chunk.min(self.target.chunk);
        let source = self.source.views(chunk).into_iter();
        source.zip(self.target.views(chunk))
    }
}

/// Progress of a collective transfer: the threads of the workgroup that have started it, and those
/// that wait for it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Group {
    pub size: u64,
    pub started: HashSet<u64>,
    pub waiting: HashSet<u64>,
}

/// A tag element: the buffer and the byte it begins at.
pub(crate) type Tag = (AllocId, usize);

/// The tag of a token.
pub(crate) fn token_tag(number: u64) -> Tag {
    (AllocId::NONE, number as usize)
}

/// The transfers in flight.
#[derive(Default, Debug)]
pub(crate) struct Transfers {
    live: Vec<Transfer>,
    /// Tokens given out so far.
    tokens: usize,
    /// The last wait of each tag that was waited for.
    waited: HashMap<Tag, Loc>,
}

impl Transfers {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// The number of the transfer that a tag names.
    pub fn find(&self, tag: Tag) -> Option<usize> {
        self.live
            .iter()
            .position(|transfer| transfer.tags.contains(&tag))
    }

    pub fn get_mut(&mut self, number: usize) -> &mut Transfer {
        &mut self.live[number]
    }

    /// Finds a collective transfer that other threads have started at `loc` and this one has not.
    pub fn find_group(&self, loc: Loc, thread: u64) -> Option<usize> {
        self.live.iter().position(|transfer| {
            let open = |group: &Group| {
                !group.started.contains(&thread) && (group.started.len() as u64) < group.size
            };
            transfer.loc == loc && transfer.group.as_ref().is_some_and(open)
        })
    }

    /// Adds a transfer.
    ///
    /// # Errors
    /// It cannot run beside those in flight.
    pub fn start(&mut self, transfer: Transfer) -> Result<(), DmaFault> {
        let at = |error, other| DmaFault { error, other };
        if transfer.target.overlaps_itself() || transfer.source.overlaps(&transfer.target) {
            return Err(at(DmaError::OverlapsItself, None));
        }
        for other in &self.live {
            let shared = transfer.target.overlaps(&other.target)
                || transfer.target.overlaps(&other.source)
                || transfer.source.overlaps(&other.target);
            if shared {
                return Err(at(DmaError::Overlaps, Some(other.loc)));
            }
        }
        for tag in &transfer.tags {
            self.waited.remove(tag);
        }
        self.live.push(transfer);
        Ok(())
    }

    /// Fault of a wait whose tag names no transfer.
    pub fn missing(&self, tag: Tag) -> DmaFault {
        match self.waited.get(&tag) {
            Some(&loc) => DmaFault {
                error: DmaError::WaitedTwice,
                other: Some(loc),
            },
            None => DmaFault {
                error: DmaError::NotStarted,
                other: None,
            },
        }
    }

    /// Removes a transfer that the wait at `loc` completes.
    pub fn finish(&mut self, number: usize, loc: Loc) -> Transfer {
        let transfer = self.live.swap_remove(number);
        for &tag in transfer.tags.iter().filter(|tag| tag.0 != AllocId::NONE) {
            self.waited.insert(tag, loc);
        }
        transfer
    }

    /// Checks that bytes of a buffer may be read, or written, beside the transfers in flight.
    pub fn check(
        &self,
        alloc: AllocId,
        from: usize,
        to: usize,
        writes: bool,
    ) -> Result<(), DmaFault> {
        let (from, to) = (from as i128, to as i128);
        for transfer in &self.live {
            let error = if transfer.target.touches(alloc, from, to) {
                match writes {
                    true => DmaError::WritesTarget,
                    false => DmaError::ReadsTarget,
                }
            } else if writes && transfer.source.touches(alloc, from, to) {
                DmaError::WritesSource
            } else {
                continue;
            };
            return Err(DmaFault {
                error,
                other: Some(transfer.loc),
            });
        }
        Ok(())
    }

    /// Checks that a buffer may be freed beside the transfers in flight.
    pub fn check_free(&self, alloc: AllocId) -> Result<(), DmaFault> {
        let mut live = self.live.iter();
        match live.find(|t| t.source.alloc == alloc || t.target.alloc == alloc) {
            Some(transfer) => Err(DmaFault {
                error: DmaError::Freed,
                other: Some(transfer.loc),
            }),
            None => Ok(()),
        }
    }

    /// Drops the tags and transfers of a freed buffer; returns the starts of the transfers
    /// that no wait can complete any more.
    pub fn drop_buffer(&mut self, alloc: AllocId) -> Vec<Loc> {
        self.waited.retain(|tag, _| tag.0 != alloc);
        let mut lost = Vec::new();
        self.live.retain_mut(|transfer| {
            transfer.tags.retain(|tag| tag.0 != alloc);
            let memory = transfer.source.alloc == alloc || transfer.target.alloc == alloc;
            let keep = !memory && !transfer.tags.is_empty();
            if !keep {
                lost.push(transfer.loc);
            }
            keep
        });
        lost
    }

    /// Fresh tag of a token, which is no memory of the program; the number of a token is never 0.
    pub fn token(&mut self) -> Tag {
        self.tokens += 1;
        token_tag(self.tokens as u64)
    }

    /// The first transfer that a token names.
    pub fn first_of_tokens(&self) -> Option<usize> {
        let is_token = |transfer: &Transfer| transfer.tags.iter().any(|tag| tag.0 == AllocId::NONE);
        self.live.iter().position(is_token)
    }

    /// Drops all transfers; returns the starts of those that no wait completed.
    pub fn drop_all(&mut self) -> Vec<Loc> {
        self.waited.clear();
        self.live.drain(..).map(|transfer| transfer.loc).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(first: i64, chunk: i64, stride: i64, count: i64) -> Side {
        Side {
            alloc: AllocId::NONE,
            base: 0,
            first,
            chunk,
            stride,
            count,
            size: 4,
        }
    }

    /// Element positions one by one.
    fn elements(side: &Side) -> HashSet<i64> {
        let at = |k: i64| side.first + k / side.chunk * side.stride + k % side.chunk;
        (0..side.count).map(at).collect()
    }

    #[test]
    fn touched_bytes_are_those_of_the_elements() {
        for (chunk, stride) in [(1, 1), (3, 7), (3, 3), (2, -5), (4, 0), (5, 2), (2, 9)] {
            for count in 0..24 {
                let side = side(100, chunk, stride, count);
                let all = elements(&side);
                let bytes: HashSet<i64> = all.iter().flat_map(|e| e * 4..e * 4 + 4).collect();
                for (from, length) in (0..1000).flat_map(|from| [(from, 1), (from, 4), (from, 33)])
                {
                    let want = (from..from + length).any(|byte| bytes.contains(&byte));
                    let got = side.touches(AllocId::NONE, from.into(), (from + length).into());
                    assert_eq!(got, want, "{side:?} {from} {length}");
                }
                let extent = side.extent();
                let low = all.iter().min().map(|&low| i128::from(low));
                let high = all.iter().max().map(|&high| i128::from(high) + 1);
                assert_eq!(extent, low.zip(high), "{side:?}");
            }
        }
    }

    #[test]
    fn sides_overlap_where_elements_are_shared() {
        let shapes = [(1, 1, 6), (2, 5, 7), (3, 4, 12), (2, -3, 5)];
        for (chunk, stride, count) in shapes {
            for (other_chunk, other_stride, other_count) in shapes {
                for first in 60..140 {
                    let a = side(100, chunk, stride, count);
                    let b = side(first, other_chunk, other_stride, other_count);
                    let want = !elements(&a).is_disjoint(&elements(&b));
                    assert_eq!(a.overlaps(&b), want, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn views_hold_the_elements_in_order() {
        let (strided, packed) = (side(10, 3, 8, 11), side(50, 11, 11, 11));
        for side in [&strided, &packed] {
            let mut positions = Vec::new();
            for view in side.views(3) {
                let done = view.for_each_position(|at| {
                    positions.push(at);
                    Ok(())
                });
                assert!(done.is_ok());
            }
            let at = |k: i64| side.first + k / side.chunk * side.stride + k % side.chunk;
            assert_eq!(positions, Vec::from_iter((0..11).map(at)));
        }
    }
}
