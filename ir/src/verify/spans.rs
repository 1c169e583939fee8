//! The quick answer to whether every use is dominated.
//!
//! With operations numbered in pre-order, an operation and all that lies in it
//! are a range of numbers, and so is a block. A use is dominated where its
//! number lies in the block of the definition and behind the definition's
//! range. What this does not find — uses in other blocks of the same region, in
//! graph regions, in unreachable code — `dominance` decides.

use crate::body::{BlockId, Body, OpId, ValueDef};

/// The ranges of one body. Kept from body to body for its memory.
#[derive(Default)]
pub(super) struct Spans {
    /// One past the last number in each operation; the largest number for those
    /// that are in no block.
    end: Vec<u32>,
    /// The range of each block.
    blocks: Vec<(u32, u32)>,
}

impl Spans {
    /// Whether it is plain to see that every operand of `ops`, which are all of
    /// a body in pre-order, is dominated by its definition.
    pub(super) fn all_dominated(&mut self, body: &Body, ops: &[OpId]) -> bool {
        self.number(body, ops);
        (0..).zip(ops).all(|(user, &op)| {
            let mut operands = body[op].operands.iter();
            operands.all(|&value| match body[value].def() {
                ValueDef::Result(def, _) => {
                    let block = body[def].parent();
                    self.end[def.index()] <= user && block.is_some_and(|b| self.holds(b, user))
                }
                ValueDef::Argument(block, _) => self.holds(block, user),
            })
        })
    }

    fn holds(&self, block: BlockId, user: u32) -> bool {
        let (start, end) = self.blocks[block.index()];
        (start..end).contains(&user)
    }

    fn number(&mut self, body: &Body, ops: &[OpId]) {
        self.end.clear();
        self.end.resize(body.op_capacity(), u32::MAX);
        self.blocks.clear();
        self.blocks.resize(body.block_capacity(), (u32::MAX, 0));
        // What lies in an operation comes before it in this order.
        for (number, &op) in (0..ops.len() as u32).zip(ops).rev() {
            let end = &mut self.end[op.index()];
            if *end == u32::MAX {
                *end = number + 1;
            }
            let end = *end;
            let Some(block) = body[op].parent() else {
                continue;
            };
            let range = &mut self.blocks[block.index()];
            *range = (number, range.1.max(end));
            if let Some(parent) = body.block_parent_op(block) {
                let around = &mut self.end[parent.index()];
                if *around == u32::MAX {
                    *around = end;
                }
            }
        }
    }
}
