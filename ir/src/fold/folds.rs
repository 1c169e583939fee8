//! Folds of rows: the part of the rows of operations that folding runs.

use super::{FoldCx, Folded};
use crate::context::{Context, OpName};
use crate::scalar::Computation;

/// Folder: computes values or attributes that replace the results of a verified operation.
pub type FoldFn = fn(&FoldCx) -> Option<Folded>;

/// Folds that do not stand in a row.
#[derive(Clone, Copy, Debug)]
pub struct CommonFolds {
    /// Tried before the row's fold.
    pub before: FoldFn,
    /// Tried where neither the row's fold nor its computation gave a result.
    pub after: FoldFn,
}

/// The part of an operation's row that folding runs.
#[derive(Clone, Copy, Debug)]
pub struct OpFolds {
    /// Constant-folds the operation.
    pub fold: Option<FoldFn>,
    /// Computation of a scalar operation, for folding, interpretation and lowering.
    pub computes: Option<Computation>,
}

impl OpFolds {
    /// An operation that does not fold.
    pub(crate) const NONE: OpFolds = OpFolds {
        fold: None,
        computes: None,
    };
}

/// Table of folding: the folds of rows by number, and those of operations of any dialect.
#[derive(Debug)]
pub(crate) struct Folds {
    rows: Vec<OpFolds>,
    pub(super) common: CommonFolds,
}

impl Folds {
    pub(crate) fn new(common: CommonFolds) -> Folds {
        Folds {
            rows: Vec::new(),
            common,
        }
    }

    /// Returns the table of a context.
    pub(super) fn of(ctx: &Context) -> &Folds {
        ctx.registry().table()
    }

    /// Adds the folds of the next row.
    pub(crate) fn add_row(&mut self, folds: OpFolds) {
        self.rows.push(folds);
    }

    /// The folds of a known operation.
    pub(super) fn row(&self, name: OpName) -> Option<OpFolds> {
        let row = name.has_row().then(|| name.index())?;
        self.rows.get(row).copied()
    }
}

impl Context {
    /// Returns what a known scalar operation computes, if its row declares it.
    pub fn computation(&self, name: OpName) -> Option<Computation> {
        Folds::of(self).row(name)?.computes
    }
}
