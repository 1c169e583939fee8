//! Contents of views: all elements at once, as bytes in row-major order.

use std::ops::Range;
use std::sync::Arc;

use super::{AccessError, Memory, byte_position};
use crate::fault::FaultKind;
use crate::memref::{MemRef, row_major_strides};
use crate::scalar::ScalarKind;

impl Memory {
    /// Writes the elements of a view, of which `contents` has the bytes; elements beyond its end
    /// become 0. A dense view is one copy.
    ///
    /// # Errors
    /// The view leaves its buffer, or the buffer is gone.
    pub fn write_contents(
        &mut self,
        view: &MemRef,
        kind: ScalarKind,
        contents: &[u8],
    ) -> Result<(), FaultKind> {
        let dense = self.dense(view, kind)?;
        let allocation = self.get_mut(view.alloc)?;
        allocation.copy_lent();
        if let Some(range) = dense
            && range.len() == contents.len()
            && allocation.written.is_none()
        {
            allocation.bytes[range].copy_from_slice(contents);
            allocation.note_host_write();
            return Ok(());
        }
        let mut elements = contents.chunks_exact(kind.size());
        view.for_each_position(|position| {
            let element = elements
                .next()
                .map_or(0, |bytes| super::element(bytes, kind));
            Ok(self.write(view, position, kind, element)?)
        })
    }

    /// As [`Memory::write_contents`], without a copy where the view is all of its buffer: the contents
    /// stay shared until the host accesses them. `false` where they would have to be copied.
    ///
    /// # Errors
    /// The buffer is gone.
    pub(crate) fn lend_contents(
        &mut self,
        view: &MemRef,
        kind: ScalarKind,
        contents: &Arc<Vec<u8>>,
    ) -> Result<bool, FaultKind> {
        let dense = self.dense(view, kind)?;
        let allocation = self.get_mut(view.alloc)?;
        let is_whole = dense == Some(0..contents.len()) && contents.len() == allocation.bytes.len();
        if !is_whole || allocation.written.is_some() {
            return Ok(false);
        }
        allocation.set_host_current(false);
        allocation.lent = Some(Arc::clone(contents));
        allocation.note_host_write();
        Ok(true)
    }

    /// Contents that were lent to all of a view's buffer and are unchanged since.
    pub(crate) fn lent_contents(&self, view: &MemRef, kind: ScalarKind) -> Option<Arc<Vec<u8>>> {
        let lent = self.get(view.alloc).ok()?.lent.as_ref()?;
        let dense = self.dense(view, kind).ok()??;
        (dense == (0..lent.len())).then(|| Arc::clone(lent))
    }

    /// Shares the contents of all of a view's buffer, which lends them in place of its host copy
    /// from now on; `None` where they would have to be copied.
    ///
    /// # Errors
    /// The buffer is gone.
    pub(crate) fn share_contents(
        &mut self,
        view: &MemRef,
        kind: ScalarKind,
    ) -> Result<Option<Arc<Vec<u8>>>, FaultKind> {
        let dense = self.dense(view, kind)?;
        let allocation = self.get_mut(view.alloc)?;
        let length = allocation.bytes.len();
        let is_whole = dense == Some(0..length) && has_no_padding(kind);
        if !is_whole || allocation.written.is_some() || !allocation.host_current {
            return Ok(None);
        }
        let Some(untouched) = super::Zeroed::new(length as u64) else {
            return Ok(None);
        };
        let bytes = std::mem::replace(&mut allocation.bytes, untouched);
        let shared = Arc::new(bytes.into_vec());
        allocation.lent = Some(Arc::clone(&shared));
        allocation.host_current = false;
        Ok(Some(shared))
    }

    /// The bytes of a view's elements, whether or not anything has written them: for looking at
    /// memory from outside of the program. A dense view is one copy.
    ///
    /// # Errors
    /// The view leaves its buffer, or the buffer is gone.
    pub fn contents(&self, view: &MemRef, kind: ScalarKind) -> Result<Vec<u8>, FaultKind> {
        if let Some(range) = self.dense(view, kind)?
            && has_no_padding(kind)
        {
            return Ok(self.get(view.alloc)?.bytes()[range].to_vec());
        }
        let mut contents = Vec::new();
        view.for_each_position(|position| {
            let bits = self.peek(view, position, kind)?;
            contents.extend_from_slice(&bits.to_le_bytes()[..kind.size()]);
            Ok(())
        })?;
        Ok(contents)
    }

    /// The bytes of a view whose elements follow each other in row-major order; `None` for other
    /// views and for those that leave their buffer.
    pub(super) fn dense(
        &self,
        view: &MemRef,
        kind: ScalarKind,
    ) -> Result<Option<Range<usize>>, AccessError> {
        let bytes = self.get(view.alloc)?.bytes.len();
        if view.strides != row_major_strides(&view.sizes) {
            return Ok(None);
        }
        let length = usize::try_from(view.num_elements()).ok();
        let length = length.and_then(|count| count.checked_mul(kind.size()));
        let range = byte_position(view.base, view.offset, kind.size())
            .zip(length)
            .and_then(|(start, length)| Some(start..start.checked_add(length)?));
        Ok(range.filter(|range| range.end <= bytes))
    }
}

/// Whether an element takes all bits of its bytes: beyond an odd width they may be anything in memory.
pub(super) fn has_no_padding(kind: ScalarKind) -> bool {
    match kind {
        ScalarKind::Int(width) => usize::from(width) == 8 * kind.size(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view of a buffer of six elements.
    fn view(memory: &mut Memory, offset: i64, sizes: &[i64], strides: &[i64]) -> MemRef {
        let alloc = memory
            .allocate(6, ScalarKind::Int(16))
            .expect("there is room");
        MemRef {
            alloc,
            base: 0,
            offset,
            sizes: sizes.into(),
            strides: strides.into(),
        }
    }

    const KIND: ScalarKind = ScalarKind::Int(16);
    const FOUR: [u8; 8] = [1, 0, 2, 0, 3, 0, 4, 1];

    #[test]
    fn a_dense_view_and_those_with_gaps_hold_the_same_elements() {
        for (offset, strides, buffer) in [
            (2, [2, 1], [0, 0, 1, 2, 3, 0x104]),
            (0, [3, 1], [1, 2, 0, 3, 0x104, 0]),
            // (0, 0) at 5, (0, 1) at 2, (1, 0) at 4, (1, 1) at 1.
            (5, [-1, -3], [0, 0x104, 2, 0, 3, 1]),
        ] {
            for checked in [false, true] {
                let mut memory = Memory::new(1 << 10, checked);
                let view = view(&mut memory, offset, &[2, 2], &strides);
                memory.write_contents(&view, KIND, &FOUR).unwrap();
                assert_eq!(memory.contents(&view, KIND).unwrap(), FOUR);
                let bytes = buffer.map(u16::to_le_bytes).concat();
                assert_eq!(memory.get(view.alloc).unwrap().bytes(), bytes);
            }
        }
    }

    #[test]
    fn lent_contents_stay_as_they_were_when_the_host_writes() {
        let mut memory = Memory::new(1 << 10, false);
        let view = view(&mut memory, 0, &[6], &[1]);
        let given = Arc::new(vec![7; 12]);
        assert!(memory.lend_contents(&view, KIND, &given).unwrap());
        let lent = memory.lent_contents(&view, KIND).unwrap();
        assert!(Arc::ptr_eq(&lent, &given));
        assert_eq!(memory.contents(&view, KIND).unwrap(), *given);
        assert!(memory.get_mut(view.alloc).unwrap().copy_lent());
        memory.write(&view, 5, KIND, 1).unwrap();
        assert_eq!(memory.contents(&view, KIND).unwrap()[8..], [7, 7, 1, 0]);
        assert_eq!(*given, [7; 12]);
    }

    #[test]
    fn contents_are_lent_only_to_all_of_a_buffer() {
        let mut memory = Memory::new(1 << 10, false);
        for (offset, sizes, strides) in [(1, [5], [1]), (0, [3], [2])] {
            let view = view(&mut memory, offset, &sizes, &strides);
            let given = Arc::new(vec![7; 2 * sizes[0] as usize]);
            assert!(!memory.lend_contents(&view, KIND, &given).unwrap());
            assert_eq!(memory.share_contents(&view, KIND).unwrap(), None);
        }
    }

    #[test]
    fn a_view_that_leaves_its_buffer_is_refused() {
        let mut memory = Memory::new(1 << 10, false);
        let view = view(&mut memory, 3, &[2, 2], &[2, 1]);
        assert!(memory.write_contents(&view, KIND, &FOUR).is_err());
        assert!(memory.contents(&view, KIND).is_err());
    }
}
