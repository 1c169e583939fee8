//! Memref descriptors: strided views of allocations.

use smallvec::SmallVec;

use crate::fault::FaultKind;
use crate::memory::AllocId;

/// A memref value: a strided view of an allocation. The rank is `sizes.len()`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemRef {
    /// The allocation.
    pub alloc: AllocId,
    /// Byte offset of the aligned base in the allocation (`memref.view` moves it).
    pub base: usize,
    /// Offset from the base, in elements.
    pub offset: i64,
    /// Extents.
    pub sizes: SmallVec<[i64; 4]>,
    /// Strides in elements.
    pub strides: SmallVec<[i64; 4]>,
}

impl MemRef {
    /// The content of a memref register before the first assignment.
    pub(crate) fn none() -> Self {
        let (sizes, strides) = (SmallVec::new(), SmallVec::new());
        MemRef {
            alloc: AllocId::NONE,
            base: 0,
            offset: 0,
            sizes,
            strides,
        }
    }

    /// The number of elements, saturating.
    pub fn num_elements(&self) -> u64 {
        self.sizes
            .iter()
            .fold(1, |n: u64, &size| n.saturating_mul(size.max(0) as u64))
    }

    /// The least and greatest linear element position, `None` for an empty view.
    pub fn extent(&self) -> Option<(i128, i128)> {
        let (mut low, mut high) = (i128::from(self.offset), i128::from(self.offset));
        for (&size, &stride) in self.sizes.iter().zip(&self.strides) {
            if size <= 0 {
                return None;
            }
            let reach = i128::from(size - 1) * i128::from(stride);
            *(if reach < 0 { &mut low } else { &mut high }) += reach;
        }
        Some((low, high))
    }

    /// Calls `visit` with the linear position of each element in row-major
    /// order of the index.
    pub fn for_each_position(
        &self,
        mut visit: impl FnMut(i64) -> Result<(), FaultKind>,
    ) -> Result<(), FaultKind> {
        for_each_index([self], self.sizes.len(), |[position]| visit(position))
    }
}

/// Calls `visit` with the linear positions that each index has in some views of the same sizes, in row-major order of the
/// first `dims` dimensions; the index of the others is 0.
pub(crate) fn for_each_index<const N: usize, E>(
    views: [&MemRef; N],
    dims: usize,
    mut visit: impl FnMut([i64; N]) -> Result<(), E>,
) -> Result<(), E> {
    let sizes = &views[0].sizes;
    if sizes.iter().any(|&size| size <= 0) {
        return Ok(());
    }
    let mut index: SmallVec<[i64; 4]> = SmallVec::from_elem(0, dims);
    let mut at = views.map(|view| view.offset);
    loop {
        visit(at)?;
        let mut dim = dims;
        loop {
            if dim == 0 {
                return Ok(());
            }
            dim -= 1;
            index[dim] += 1;
            let is_inside = index[dim] < sizes[dim];
            for (position, view) in at.iter_mut().zip(views) {
                // From the last index on the way is back to the first.
                let steps = if is_inside { 1 } else { 1 - sizes[dim] };
                *position = position.wrapping_add(view.strides[dim].wrapping_mul(steps));
            }
            if is_inside {
                break;
            }
            index[dim] = 0;
        }
    }
}

/// Row-major strides of a shape, wrapping for absurd ones.
pub fn row_major_strides(sizes: &[i64]) -> SmallVec<[i64; 4]> {
    let mut strides: SmallVec<[i64; 4]> = sizes.iter().map(|_| 1).collect();
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim].wrapping_mul(sizes[dim]);
    }
    strides
}
