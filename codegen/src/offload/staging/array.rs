//! Boxes of arrays in workgroup memory: their extents, and how their elements lie.

use gridloom_ir::OpId;

/// Box of an array that a workgroup copies for each chunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StagedArray {
    /// Loads from the box, each with what its subscripts exceed the least ones by.
    pub loads: Vec<(OpId, Vec<i64>)>,
    /// Difference of the least subscripts from those of the first load, in each dimension.
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
    /// Elements along the dimension for chunks of some size, where a workgroup has `sides`
    /// iterations of each loop of the band.
    pub fn extent(&self, sides: &[i64], chunk: i64) -> i64 {
        let loops = self.loops.iter().map(|&k| sides[k] - 1).sum::<i64>();
        let chunk = if self.moves_with_chunk { chunk - 1 } else { 0 };
        1 + loops + chunk + self.spread
    }
}

/// Elements between rows of a box whose order differs from memory: a multiple of four, so that rows
/// stay aligned, which puts neighbours of a row of memory into different banks.
const PADDING: i64 = 4;

/// Elements of the box of an array, at most.
const MAX_ELEMENTS: i64 = 1 << 14;

impl StagedArray {
    /// Expresses offsets as constants beyond the least one. `None` where the loads leave a gap, or
    /// differ in more than one dimension, so that the program need not load all of the box.
    pub(super) fn spread(mut self) -> Option<Self> {
        let first = self.loads.first()?.1.clone();
        let mut apart = 0;
        for (d, dim) in self.dims.iter_mut().enumerate() {
            let mut constants: Vec<i64> = self.loads.iter().map(|(_, c)| c[d]).collect();
            constants.sort_unstable();
            let least = *constants.first()?;
            dim.spread = constants.last()?.checked_sub(least)?;
            apart += i64::from(dim.spread > 0);
            let is_whole = constants.windows(2).all(|pair| pair[1] - pair[0] <= 1);
            if !is_whole {
                return None;
            }
            for (_, constants) in &mut self.loads {
                constants[d] -= least;
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

    /// The shape in workgroup memory, padded where the order differs from that of the array.
    pub fn shape(&self, sides: &[i64], chunk: i64) -> Vec<i64> {
        let order = self.order();
        let extents = order.iter().map(|&d| self.dims[d].extent(sides, chunk));
        let mut shape: Vec<i64> = extents.collect();
        let is_transposed = order.last().is_some_and(|&d| d + 1 != self.dims.len());
        if let Some(last) = shape.last_mut().filter(|_| is_transposed) {
            *last += PADDING;
        }
        shape
    }
}
