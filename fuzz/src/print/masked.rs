//! Printing of masked vector loads and stores.

use super::{Printer, name, names};
use crate::program::{MaskedMove, Var};

impl Printer<'_> {
    /// Prints the operations of a masked move; `id` makes their value names unique.
    pub(super) fn masked_move(&mut self, id: u32, masked: &MaskedMove) {
        let lanes = masked.read.len();
        let element = self.ty(masked.passed);
        let (mask, vector) = (
            format!("vector<{lanes}xi1>"),
            format!("vector<{lanes}x{element}>"),
        );
        self.mask(&format!("%read{id}"), &masked.read);
        self.mask(&format!("%write{id}"), &masked.write);
        self.line(&format!(
            "%passed{id} = vector.broadcast {} : {element} to {vector}",
            name(masked.passed)
        ));
        self.line(&format!(
            "%lanes{id} = vector.maskedload {}[{}], %read{id}, %passed{id} : {}, {mask}, {vector} into {vector}",
            name(masked.from),
            names(&masked.from_at),
            self.ty(masked.from)
        ));
        self.line(&format!(
            "vector.maskedstore {}[{}], %write{id}, %lanes{id} : {}, {mask}, {vector}",
            name(masked.to),
            names(&masked.to_at),
            self.ty(masked.to)
        ));
    }

    fn mask(&mut self, result: &str, set: &[Var]) {
        self.line(&format!(
            "{result} = vector.from_elements {} : vector<{}xi1>",
            names(set),
            set.len()
        ));
    }
}
