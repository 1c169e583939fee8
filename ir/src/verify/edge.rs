//! Control flow edges between an operation and its regions.

use super::{Check, Checked};
use crate::body::BlockId;
use crate::diag::Diagnostic;
use crate::types::Type;

/// One end of a control flow edge.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// The operation around the regions.
    Parent,
    /// Region number.
    Region(usize),
    /// The terminator of a region.
    Terminator(BlockId),
}

impl<'a> Check<'a> {
    /// The only block of region `index`; `name` is the region's name in the
    /// declaration.
    pub fn require_block(&self, index: usize, name: &str) -> Result<BlockId, Diagnostic> {
        let regions = self.data().inline_regions();
        let blocks = regions
            .get(index)
            .map(|&region| &self.body()[region].blocks[..]);
        match blocks {
            Some(&[block]) => Ok(block),
            _ => Err(self.error(format!(
                "region #{index} ('{name}') failed to verify constraint: region with 1 blocks"
            ))),
        }
    }

    /// Checks that the region of an operation that owns its body has exactly
    /// one block.
    pub fn require_own_block(&self, name: &str) -> Checked {
        let body = self.data().isolated();
        let region = body.and_then(|body| Some((body, *body.regions().first()?)));
        let blocks = region.map_or(0, |(body, region)| body[region].blocks.len());
        let message =
            format_args!("region #0 ('{name}') failed to verify constraint: region with 1 blocks");
        self.ensure(blocks == 1, message)
    }

    /// The terminator of a block.
    pub fn terminator(&self, block: BlockId) -> Option<Check<'a>> {
        let op = self.body()[block].last()?;
        Some(Check { op, ..*self })
    }

    fn describe(&self, end: End) -> String {
        match end {
            End::Parent => "parent".to_owned(),
            End::Region(index) => format!("Region #{index}"),
            End::Terminator(block) => {
                let name = self
                    .terminator(block)
                    .map(|last| self.ctx().op_name_str(last.name()));
                format!("Operation {}", name.unwrap_or("<none>"))
            }
        }
    }

    /// Checks that the types passed along an edge are those that its target
    /// takes.
    pub fn edge(
        &self,
        edge: (End, End),
        operands: impl ExactSizeIterator<Item = Type>,
        inputs: impl ExactSizeIterator<Item = Type>,
    ) -> Checked {
        let point = match edge.0 {
            End::Terminator(block) => self.terminator(block),
            End::Parent | End::Region(_) => Some(*self),
        };
        let loc = point.map_or(self.data().loc, |point| point.data().loc);
        self.edge_types(edge, operands, inputs)
            .map_err(|error| error.with_note(loc, "region branch point").late())
    }

    fn edge_types(
        &self,
        (from, to): (End, End),
        operands: impl ExactSizeIterator<Item = Type>,
        inputs: impl ExactSizeIterator<Item = Type>,
    ) -> Checked {
        let edge = || {
            format!(
                "along control flow edge from {} to {}",
                self.describe(from),
                self.describe(to)
            )
        };
        if operands.len() != inputs.len() {
            return Err(self.error(format!(
                "{}: region branch point has {} operands, but region successor needs {} inputs",
                edge(),
                operands.len(),
                inputs.len()
            )));
        }
        for (index, (operand, input)) in operands.zip(inputs).enumerate() {
            if operand != input {
                return Err(self.error(format!(
                    "{}: successor operand type #{index} '{}' should match successor input type #{index} '{}'",
                    edge(),
                    self.show(operand),
                    self.show(input)
                )));
            }
        }
        Ok(())
    }
}
