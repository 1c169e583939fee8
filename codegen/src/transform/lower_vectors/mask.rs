//! Lowering of `vector.mask`: applies the masked operation to the set elements only.

use gridloom_dialects::vector;
use gridloom_ir::{Body, Builder, OpId, Value};

use super::moves::select;
use super::{Lowering, Results};

impl Lowering<'_> {
    /// Lowers a masked operation; unset elements of a result are those of the passthrough value, if
    /// there is one. `None` where the operation has no masked lowering.
    pub(super) fn masked(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let region = *b.body[op].inline_regions().first()?;
        let block = *b.body[region].blocks.first()?;
        let under: Vec<OpId> = b.body.ops(block).collect();
        let (&last, inner) = under.split_last()?;
        let yielded = b.body[last].operands.to_vec();
        let operands = b.body[op].operands.to_vec();
        let mask = self.elements(b, *operands.first()?);
        let results: Results = match inner {
            [] => {
                let mut results = Vec::new();
                for &value in &yielded {
                    results.push(self.elements(b, value));
                }
                results
            }
            &[inner] if self.takes(b.body, inner) => {
                let of_inner: Vec<Value> = b.body[inner].results().collect();
                if of_inner != yielded {
                    return None;
                }
                match b.body[inner].name {
                    vector::TRANSFER_READ | vector::TRANSFER_WRITE => {
                        self.transferred(b, inner, Some(&mask))?
                    }
                    vector::GATHER => self.indexed(b, inner, Some(&mask))?,
                    _ => self.combined(b, inner, Some(&mask))?,
                }
            }
            _ => return None,
        };
        let Some(&passed) = operands.get(1) else {
            return Some(results);
        };
        let [result] = &results[..] else {
            return None;
        };
        let passed = self.elements(b, passed);
        if passed.len() != result.len() || mask.len() != result.len() {
            return None;
        }
        let chosen = (mask.iter().zip(result).zip(passed))
            .map(|((&set, &yes), no)| select(b, set, yes, no))
            .collect();
        Some(vec![chosen])
    }

    /// Rebuilds from their elements the vectors that a remaining mask and its operation take.
    pub(super) fn keep_mask(&mut self, body: &mut Body, op: OpId) {
        for inner in body.walk_op(op) {
            let results: Vec<Value> = body[inner].results().collect();
            if inner != op {
                self.wholes.extend(results);
                self.make_whole(body, inner, op);
            }
        }
    }
}
