//! Use lists of values, computed on demand.

use super::{Body, OpId, Value};

/// A use of a value: one operand of one operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The user.
    pub op: OpId,
    /// Operand number.
    pub operand: u32,
}

/// Snapshot of the use lists of all values of a body; see [`Body::uses`].
#[derive(Debug)]
pub struct Uses {
    starts: Vec<u32>,
    list: Vec<Use>,
}

impl Uses {
    /// Returns the use list of a value, in walk order.
    pub fn of(&self, value: Value) -> &[Use] {
        let (from, to) = (self.starts[value.index()], self.starts[value.index() + 1]);
        &self.list[from as usize..to as usize]
    }
}

impl Body {
    /// Computes the use list of every value in one pass over the body.
    pub fn uses(&self) -> Uses {
        let ops = self.walk();
        let mut starts = vec![0u32; self.values.len() + 1];
        for &op in &ops {
            for operand in &self[op].operands {
                starts[operand.index() + 1] += 1;
            }
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let filler = Use {
            op: OpId::from_len(0),
            operand: 0,
        };
        let mut list = vec![filler; starts.last().map_or(0, |&n| n as usize)];
        for &op in &ops {
            for (operand, value) in (0..).zip(&self[op].operands) {
                let slot = &mut next[value.index()];
                list[*slot as usize] = Use { op, operand };
                *slot += 1;
            }
        }
        Uses { starts, list }
    }
}
