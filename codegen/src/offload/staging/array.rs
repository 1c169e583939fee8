//! Staged arrays: the boxes that a workgroup copies, their extents and their layout in workgroup
//! memory.

use gridloom_ir::{OpId, Type};

/// Load of the staged loop that reads from a box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StagedLoad {
    /// The load.
    pub op: OpId,
    /// Offsets of its subscripts from the least ones.
    pub constants: Vec<i64>,
    /// Fused operations: a chain on the loaded value that is computed once, where the element is
    /// copied.
    pub computed: Vec<OpId>,
}

/// Box of an array that a workgroup copies for each chunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StagedArray {
    /// The loads from the box.
    pub loads: Vec<StagedLoad>,
    /// Type of the elements in workgroup memory.
    pub element: Type,
    /// Bits of an element in workgroup memory.
    pub bits: u32,
    /// Whether elements at multiples of [`StagedArray::vector`] of the band's counters are one
    /// access of the array.
    pub is_aligned: bool,
    /// Offset of the box's least subscripts from those of the first load, in each dimension.
    pub least: Vec<i64>,
    /// The dimensions of the box, those of the array.
    pub dims: Vec<StagedDim>,
}

/// One dimension of a [`StagedArray`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StagedDim {
    /// Loops of the band (positions in it) that the subscript moves with.
    pub loops: Vec<usize>,
    /// Whether it moves with the staged loop.
    pub moves_with_chunk: bool,
    /// Difference of the loads' greatest and least constants.
    pub spread: i64,
}

impl StagedDim {
    /// Returns the extent along the dimension for chunks of some size, where a workgroup has
    /// `sides` iterations of each loop of the band.
    pub fn extent(&self, sides: &[i64], chunk: i64) -> i64 {
        let loops = self.loops.iter().map(|&k| sides[k] - 1).sum::<i64>();
        let chunk = if self.moves_with_chunk { chunk - 1 } else { 0 };
        1 + loops + chunk + self.spread
    }
}

/// Bytes of the widest access.
const WIDEST: i64 = 16;

/// Limit of the elements of a box.
const MAX_ELEMENTS: i64 = 1 << 14;

/// Returns the bytes of an element: workgroup memory holds registers, which have 32 bits or 64.
const fn bytes(bits: u32) -> i64 {
    if bits > 32 { 8 } else { 4 }
}

impl StagedArray {
    /// Normalizes the offsets of all loads to constants beyond the least one. `None` where the
    /// loads leave a gap, or differ in more than one dimension, so that the program need not load
    /// all of the box.
    pub(super) fn spread(mut self) -> Option<Self> {
        let first = self.loads.first()?.constants.clone();
        let mut apart = 0;
        for (d, dim) in self.dims.iter_mut().enumerate() {
            let mut constants: Vec<i64> = self.loads.iter().map(|load| load.constants[d]).collect();
            constants.sort_unstable();
            let least = *constants.first()?;
            dim.spread = constants.last()?.checked_sub(least)?;
            apart += i64::from(dim.spread > 0);
            let is_whole = constants.windows(2).all(|pair| pair[1] - pair[0] <= 1);
            if !is_whole {
                return None;
            }
            for load in &mut self.loads {
                load.constants[d] -= least;
            }
            self.least.push(least - first[d]);
        }
        (apart <= 1).then_some(self)
    }

    /// Elements of the box; `None` for more than fit.
    pub(super) fn elements(&self, sides: &[i64], chunk: i64) -> Option<i64> {
        let mut extents = self.dims.iter().map(|dim| dim.extent(sides, chunk));
        extents.try_fold(1i64, |product, extent| {
            let product = product.checked_mul(extent)?;
            (product <= MAX_ELEMENTS).then_some(product)
        })
    }

    /// The dimensions of the box in the order of workgroup memory, outermost first: those that
    /// move with the staged loop, then those that move with the band, since a thread's iterations
    /// lie side by side there.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.dims.len()).collect();
        order.sort_by_key(|&d| !self.dims[d].moves_with_chunk);
        order
    }

    /// Returns the dimension whose neighbours lie side by side in workgroup memory.
    pub fn innermost(&self) -> Option<usize> {
        self.order().last().copied()
    }

    /// Vector length: the elements of an access of 16 bytes of workgroup memory.
    pub fn vector(&self) -> i64 {
        WIDEST / bytes(self.bits)
    }

    /// Returns the number of elements along [`StagedArray::innermost`] that a thread copies
    /// together: a vector, where rows are whole vectors. Elements that are neighbours in memory,
    /// too, but cannot be loaded at once, are copied by neighbouring threads instead.
    pub fn unit(&self, sides: &[i64], chunk: i64) -> i64 {
        let vector = self.vector();
        let is_row = |d: usize| self.dims[d].extent(sides, chunk) % vector == 0;
        match self.innermost() {
            Some(d) if is_row(d) && (self.is_aligned || d + 1 != self.dims.len()) => vector,
            _ => 1,
        }
    }

    /// Returns the shape in workgroup memory. Rows whose order differs from that of the array are
    /// longer by one vector, which puts neighbours of a row of memory into different banks.
    pub fn shape(&self, sides: &[i64], chunk: i64) -> Vec<i64> {
        let order = self.order();
        let extents = order.iter().map(|&d| self.dims[d].extent(sides, chunk));
        let mut shape: Vec<i64> = extents.collect();
        let is_transposed = order.last().is_some_and(|&d| d + 1 != self.dims.len());
        if let Some(last) = shape.last_mut().filter(|_| is_transposed) {
            *last += self.vector();
        }
        shape
    }

    /// Returns the bytes that the box takes in workgroup memory.
    pub fn bytes(&self, sides: &[i64], chunk: i64) -> i64 {
        self.shape(sides, chunk).iter().product::<i64>() * bytes(self.bits)
    }
}
