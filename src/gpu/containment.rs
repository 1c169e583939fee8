//! Whether memrefs lie in their buffers.
//!
//! `memref.reinterpret_cast` gives a memref any offset, sizes and strides, so an index that is in range
//! may still be an element outside of the buffer. The driver of a bound buffer drops such accesses; by a
//! device address they would reach other memory.

use gridloom_interp::{Argument, FaultKind, Memory};

/// Whether every element of each memref lies in its buffer.
pub(super) fn lie_in_buffers(memory: &Memory, arguments: &[Argument]) -> Result<bool, FaultKind> {
    for argument in arguments {
        let Argument::MemRef(kind, view) = argument else {
            continue;
        };
        let bytes = memory.get(view.alloc)?.size().saturating_sub(view.base);
        let elements = (bytes / kind.size()) as i128;
        let is_outside = |(least, most): (i128, i128)| least < 0 || most >= elements;
        if view.extent().is_some_and(is_outside) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use gridloom_interp::{MemRef, ScalarKind};

    use super::*;

    /// Whether a view of a buffer of `count` elements of 4 bytes lies in it.
    fn lies_in(count: u64, (base, offset): (usize, i64), dims: &[(i64, i64)]) -> bool {
        let mut memory = Memory::new(1 << 20, false);
        let alloc = memory.allocate(count, ScalarKind::F32).unwrap();
        let view = MemRef {
            alloc,
            base,
            offset,
            sizes: dims.iter().map(|&(size, _)| size).collect(),
            strides: dims.iter().map(|&(_, stride)| stride).collect(),
        };
        lie_in_buffers(&memory, &[Argument::MemRef(ScalarKind::F32, view)]).unwrap()
    }

    #[test]
    fn every_element_counts() {
        assert!(lies_in(12, (0, 0), &[(3, 4), (4, 1)]));
        assert!(!lies_in(11, (0, 0), &[(3, 4), (4, 1)]));
        assert!(lies_in(12, (0, 11), &[(12, -1)]));
        assert!(!lies_in(12, (0, 10), &[(12, -1)]));
        assert!(!lies_in(12, (0, 12), &[]));
        // A window of the bytes from the third element on.
        assert!(lies_in(12, (8, 0), &[(10, 1)]));
        assert!(!lies_in(12, (8, 0), &[(11, 1)]));
        assert!(!lies_in(12, (0, 0), &[(i64::MAX, i64::MAX)]));
    }

    #[test]
    fn a_view_without_elements_lies_anywhere() {
        assert!(lies_in(1, (0, 100), &[(0, 1), (7, 50)]));
    }
}
