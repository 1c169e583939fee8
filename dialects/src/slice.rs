//! Slices: offsets, sizes and strides, each static or an operand, with their
//! verifier.

use crate::verified::required_i64s;
use gridloom_ir::constraints::{I64_ARRAY, attr};
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::op::{AttrDef, AttrSyntax};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::verify::{Check, Checked};

/// An `array<i64: …>` attribute with [`DYNAMIC`] in place of operands.
pub(crate) const fn i64_list(name: &'static str) -> AttrDef {
    attr(name, I64_ARRAY).spelled(AttrSyntax::DenseArray(|c| c.int_type(64)))
}

/// The attributes of a slice's static entries.
pub(crate) const OFFSETS_SIZES_STRIDES: &[AttrDef] = &[
    i64_list("static_offsets"),
    i64_list("static_sizes"),
    i64_list("static_strides"),
];

/// The static entries of a slice, [`DYNAMIC`] in place of operands.
pub(crate) struct Slice {
    /// The offset in each dimension.
    pub(crate) offsets: Vec<i64>,
    /// The number of elements taken in each dimension.
    pub(crate) sizes: Vec<i64>,
    /// The distance between those elements in each dimension.
    pub(crate) strides: Vec<i64>,
}

/// An error without the prefix that names the operation.
pub(crate) fn plain(check: &Check, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(check.data().loc, message.into())
}

impl Slice {
    /// The slice of an operation whose last three operand groups start at
    /// `first`. Fails if the lists and operands do not match, or are not as
    /// long as `ranks` says.
    pub(crate) fn of(check: &Check, first: usize, ranks: [usize; 3]) -> Result<Slice, Diagnostic> {
        let list = |name| required_i64s(check.ctx(), check.data(), name);
        let slice = Slice {
            offsets: list("static_offsets"),
            sizes: list("static_sizes"),
            strides: list("static_strides"),
        };
        slice.verify_lengths(check, first, ranks)?;
        for (list, what) in [(&slice.offsets, "offsets"), (&slice.sizes, "sizes")] {
            if let Some(value) = list.iter().find(|&&value| value < 0 && value != DYNAMIC) {
                let message = format!("expected {what} to be non-negative, but got {value}");
                return Err(plain(check, message));
            }
        }
        Ok(slice)
    }

    fn verify_lengths(&self, check: &Check, first: usize, ranks: [usize; 3]) -> Checked {
        let lists = [
            (&self.offsets, "offset"),
            (&self.sizes, "size"),
            (&self.strides, "stride"),
        ];
        for (index, (list, what)) in lists.into_iter().enumerate() {
            let holes = list.iter().filter(|&&value| value == DYNAMIC).count();
            let given = check.data().operand_segment(check.ctx(), first + index);
            if given.len() != holes {
                let message = format!(
                    "expected the number of '{what}s' to match the number of dynamic entries \
                     in 'static_{what}s' ({} vs {holes})",
                    given.len()
                );
                return Err(plain(check, message));
            }
        }
        let mismatch = |a: &str, b: &str, counts: (usize, usize)| {
            let message = format!(
                "expected mixed {a} rank to match mixed {b} rank ({} vs {}) \
                 so the rank of the result type is well-formed.",
                counts.0, counts.1
            );
            Err(plain(check, message))
        };
        let [offsets, sizes, strides] = lists.map(|(list, _)| list.len());
        if !(offsets == 1 && ranks[0] == 1) && offsets != sizes {
            return mismatch("offsets", "sizes", (offsets, sizes));
        }
        if sizes != strides {
            return mismatch("sizes", "strides", (sizes, strides));
        }
        for ((list, what), rank) in lists.into_iter().zip(ranks) {
            if list.len() != rank {
                let message = format!("expected {rank} {what} values, got {}", list.len());
                return Err(plain(check, message));
            }
        }
        Ok(())
    }

    /// Checks that a slice is not statically out of bounds.
    pub(crate) fn verify_in_bounds(&self, check: &Check, shape: &[i64]) -> Checked {
        let slices = self.offsets.iter().zip(&self.sizes).zip(&self.strides);
        for (dim, (&extent, ((&offset, &size), &stride))) in shape.iter().zip(slices).enumerate() {
            if [extent, offset].contains(&DYNAMIC) || size == 0 {
                continue;
            }
            if offset >= extent {
                let message = format!("offset {dim} is out-of-bounds: {offset} >= {extent}");
                return Err(plain(check, message));
            }
            if [size, stride].contains(&DYNAMIC) {
                continue;
            }
            let last = (size - 1).checked_mul(stride);
            let last = last.and_then(|last| last.checked_add(offset));
            if let Some(last) = last
                && last >= extent
            {
                let message =
                    format!("slice along dimension {dim} runs out-of-bounds: {last} >= {extent}");
                return Err(plain(check, message));
            }
        }
        Ok(())
    }
}

/// Flags the unit dimensions that a rank reduction drops; of a run of candidates, the
/// innermost ones. `None` if `reduced` is not `full` without some unit
/// dimensions.
pub(crate) fn dropped_dims(full: &[i64], reduced: &[i64]) -> Option<Vec<bool>> {
    let mut kept = 0;
    let mut dropped = Vec::with_capacity(full.len());
    for &extent in full {
        let keeps = reduced.get(kept) == Some(&extent);
        if !keeps && extent != 1 {
            return None;
        }
        kept += usize::from(keeps);
        dropped.push(!keeps);
    }
    (kept == reduced.len()).then_some(dropped)
}
