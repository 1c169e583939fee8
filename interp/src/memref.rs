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
        if self.sizes.iter().any(|&size| size <= 0) {
            return Ok(());
        }
        let mut index: SmallVec<[i64; 4]> = self.sizes.iter().map(|_| 0).collect();
        let mut position = self.offset;
        loop {
            visit(position)?;
            let mut dim = self.sizes.len();
            loop {
                if dim == 0 {
                    return Ok(());
                }
                dim -= 1;
                index[dim] += 1;
                position = position.wrapping_add(self.strides[dim]);
                if index[dim] < self.sizes[dim] {
                    break;
                }
                let back = self.strides[dim].wrapping_mul(self.sizes[dim]);
                position = position.wrapping_sub(back);
                index[dim] = 0;
            }
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
