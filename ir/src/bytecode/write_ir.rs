//! Encodes operations, regions and blocks.

use super::encode::Encoder;
use super::format::{Section, has};
use super::numbers::Numbers;
use super::write_properties::PropertyWriter;
use crate::body::{BlockId, Body, OpId, RegionId};
use crate::location::Loc;

/// Writes the section of operations.
pub(super) struct IrWriter<'n, 'a> {
    pub numbers: &'n mut Numbers<'a>,
    pub properties: PropertyWriter,
    pub out: Encoder,
    /// The numbers of the values of all open bodies, consecutively: those of a
    /// body start at [`Place::values`].
    values: Vec<u32>,
    /// The numbers of the blocks, likewise.
    blocks: Vec<u32>,
    /// The numbers of operations in the blocks not written yet: those of the
    /// open regions, the innermost last, each from last to first.
    counts: Vec<u32>,
}

/// An open body and the start of its tables.
#[derive(Clone, Copy)]
struct Place<'b> {
    body: &'b Body,
    values: usize,
    blocks: usize,
}

impl<'n, 'a> IrWriter<'n, 'a> {
    pub fn new(numbers: &'n mut Numbers<'a>) -> Self {
        IrWriter {
            numbers,
            properties: PropertyWriter::default(),
            out: Encoder::default(),
            values: Vec::new(),
            blocks: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Writes one operation as a whole file.
    pub fn file(&mut self, body: &Body, op: OpId) {
        self.out.flagged(1, false);
        let place = self.enter(body);
        self.op(place, op, 0);
    }

    fn enter<'b>(&mut self, body: &'b Body) -> Place<'b> {
        let (values, blocks) = (self.values.len(), self.blocks.len());
        self.values.resize(values + body.value_capacity(), 0);
        self.blocks.resize(blocks + body.block_capacity(), 0);
        Place {
            body,
            values,
            blocks,
        }
    }

    fn leave(&mut self, place: Place<'_>) {
        self.values.truncate(place.values);
        self.blocks.truncate(place.blocks);
    }

    /// Writes an operation; `next` is the number of the first value in its
    /// regions.
    fn op(&mut self, place: Place<'_>, id: OpId, next: u32) {
        let op = &place.body[id];
        let ctx = self.numbers.ctx;
        let properties = self.properties.write(self.numbers, op.name, op.properties);
        let own = op.isolated();
        let regions = match own {
            Some(body) => {
                body.prefetch();
                body.regions()
            }
            None => op.inline_regions(),
        };
        let mut mask = 0;
        let mut set = |bit: u8, there: bool| mask |= if there { bit } else { 0 };
        set(has::ATTRS, !op.attributes.is_empty());
        set(has::PROPERTIES, properties.number.is_some());
        set(has::RESULTS, op.num_results() != 0);
        set(has::OPERANDS, !op.operands.is_empty());
        set(has::SUCCESSORS, !op.successors().is_empty());
        set(has::REGIONS, !regions.is_empty());
        let out = &mut self.out;
        out.index(self.numbers.names.op(ctx, op.name, properties.known));
        out.byte(mask);
        out.index(self.numbers.loc(op.loc));
        if !op.attributes.is_empty() {
            out.index(self.numbers.dict(op.attributes));
        }
        if let Some(number) = properties.number {
            out.index(number);
        }
        if op.num_results() != 0 {
            out.count(op.num_results());
            for result in op.results() {
                out.index(self.numbers.ty(place.body.ty(result)));
            }
        }
        if !op.operands.is_empty() {
            out.count(op.operands.len());
            for operand in &op.operands {
                out.index(self.values[place.values + operand.index()]);
            }
        }
        if !op.successors().is_empty() {
            out.count(op.successors().len());
            for block in op.successors() {
                out.index(self.blocks[place.blocks + block.index()]);
            }
        }
        if !regions.is_empty() {
            out.flagged(regions.len() as u32, own.is_some());
            match own {
                Some(body) => self.isolated(body),
                None => self.regions(place, regions, next),
            }
        }
    }

    /// Writes the regions of an isolated operation as a section, which readers
    /// can skip.
    fn isolated(&mut self, body: &Body) {
        let start = self.out.bytes.len();
        let place = self.enter(body);
        self.regions(place, body.regions(), 0);
        self.leave(place);
        self.out.wrap(Section::Ir, start);
    }

    fn regions(&mut self, place: Place<'_>, regions: &[RegionId], next: u32) {
        for &region in regions {
            self.region(place, region, next);
        }
    }

    fn region(&mut self, place: Place<'_>, region: RegionId, first: u32) {
        let blocks = &place.body[region].blocks;
        self.out.count(blocks.len());
        if blocks.is_empty() {
            return;
        }
        // All values of the region are numbered first, since uses may precede
        // definitions. Nested regions continue from there, each from the same
        // number.
        let mut next = first;
        let counts = self.counts.len();
        for (number, &block) in (0..).zip(blocks) {
            self.blocks[place.blocks + block.index()] = number;
            for arg in &place.body[block].args {
                self.values[place.values + arg.index()] = next;
                next += 1;
            }
            let mut count = 0;
            for op in place.body.ops(block) {
                count += 1;
                for result in place.body[op].results() {
                    self.values[place.values + result.index()] = next;
                    next += 1;
                }
            }
            self.counts.push(count);
        }
        self.counts[counts..].reverse();
        self.out.index(next - first);
        for &block in blocks {
            self.block(place, block, next);
        }
    }

    fn block(&mut self, place: Place<'_>, block: BlockId, next: u32) {
        let args = &place.body[block].args;
        let ops = self.counts.pop().unwrap_or(0);
        self.out.flagged(ops, !args.is_empty());
        if !args.is_empty() {
            self.out.count(args.len());
            for &arg in args {
                let data = place.body[arg];
                let placed = data.loc != Loc::UNKNOWN;
                let ty = self.numbers.ty(data.ty);
                self.out.flagged(ty, placed);
                if placed {
                    self.out.index(self.numbers.loc(data.loc));
                }
            }
            // Default use-list order.
            self.out.byte(0);
        }
        for op in place.body.ops(block) {
            self.op(place, op, next);
        }
    }
}
