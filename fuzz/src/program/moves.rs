//! Moves of several elements: vectors and DMA transfers.

use super::{At, Bin, Var};

/// Masked move: `vector.maskedload` and `vector.maskedstore` of one-dimensional vectors.
#[derive(Clone, Debug)]
pub struct MaskedMove {
    /// Source memref.
    pub from: Var,
    /// Subscripts of the first lane in the source.
    pub from_at: Vec<Var>,
    /// Read mask: for each lane, whether it is read.
    pub read: Vec<Var>,
    /// Passthrough value of lanes that are not read.
    pub passed: Var,
    /// Target memref.
    pub to: Var,
    /// Subscripts of the first lane in the target.
    pub to_at: Vec<Var>,
    /// Write mask: for each lane, whether it is written.
    pub write: Vec<Var>,
}

/// Vector in memory: the elements from a place on.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Lanes {
    pub first: Place,
    /// Dimension along which the lanes follow each other; without one, all of them are the first element.
    pub dim: Option<usize>,
    pub form: LanesForm,
}

/// Operations that move a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LanesForm {
    /// `load` and `store` of `vector`, or `vector_load` and `vector_store` of `affine`.
    Whole,
    /// `vector.transfer_read` and `vector.transfer_write`, all in bounds.
    InBounds,
    /// The same; lanes beyond the end are the padding, or are not written.
    Padded,
}

/// Elementwise fold of vectors in memory.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct VectorFold {
    pub lanes: i64,
    pub from: Vec<Lanes>,
    pub padding: Var,
    pub kind: Bin,
    /// Scalar that each lane is folded with at last.
    pub splat: Option<Var>,
    pub to: VectorSink,
}

/// What becomes of a vector.
#[derive(Clone, Debug)]
pub enum VectorSink {
    /// It is stored.
    Memory(Lanes),
    /// Its lanes are reduced to the result.
    Reduced(Bin),
}

/// Element of a memref.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Place {
    pub mem: Var,
    pub at: At,
}

/// Start of a DMA transfer; the subscripts of all places are of one kind.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Transfer {
    pub from: Place,
    pub to: Place,
    pub tag: Place,
    pub count: Var,
    /// Distance and length of the rows that lie in the slower memory; without them, elements follow each other.
    pub rows: Option<(Var, Var)>,
}
