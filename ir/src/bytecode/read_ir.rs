//! Decodes operations, regions and blocks.

use std::sync::Arc;

use smallvec::SmallVec;

use super::decode::{Cursor, Read, check_index, fail};
use super::deferred::{Defer, DeferredBodies, Skipped, Within};
use super::format::{ISOLATED_SECTIONS, SHORT_ARGUMENTS, Section, USE_ORDERS, has};
use super::read_op_attrs::check_unregistered;
use super::read_properties::Properties;
use super::tables::Tables;
use crate::body::{
    BlockData, BlockId, Body, NewOp, OpData, OpId, RegionData, RegionId, Value, ValueData,
};
use crate::context::Traits;
use crate::location::Loc;
use crate::types::Type;

/// The bound on nested regions, the same as in text.
const MAX_DEPTH: u32 = 256;

/// The placeholder index of a value neither defined nor used so far.
const UNDEFINED: u32 = 0;

/// A region being read.
struct Region {
    id: RegionId,
    /// The blocks, created on first mention.
    blocks: SmallVec<[Option<BlockId>; 2]>,
    /// Whether the region numbers values.
    numbered: bool,
    /// The index of its next value in [`Scope::values`].
    next: usize,
    /// The end of its range of values.
    end: usize,
}

/// The visible values: those of the current region and of the enclosing ones,
/// up to the next isolated one.
#[derive(Default)]
struct Scope {
    /// The values by number; those before `start` belong to enclosing isolated regions.
    values: Vec<Value>,
    start: usize,
}

impl Scope {
    fn len(&self) -> usize {
        self.values.len() - self.start
    }

    /// Enters an isolated region; returns the start of the enclosing scope.
    fn enter(&mut self) -> usize {
        std::mem::replace(&mut self.start, self.values.len())
    }

    /// Leaves an isolated region for the enclosing scope.
    fn leave(&mut self, start: usize) {
        self.values.truncate(self.start);
        self.start = start;
    }
}

/// The body under construction.
#[derive(Default)]
struct Frame {
    body: Body,
    /// Forward references by placeholder index: the value once it is defined.
    forwards: Vec<Option<Value>>,
    /// Operands that are placeholders.
    uses: Vec<(OpId, u32)>,
}

impl Frame {
    /// Discards what was read; a body not extracted is dropped.
    fn clear(&mut self) {
        drop(self.body.extract());
        self.forwards.clear();
        self.uses.clear();
    }
}

/// Reads the section of operations.
pub(super) struct IrReader<'a> {
    pub tables: Tables<'a>,
    pub(super) properties: Properties<'a>,
    frame: Frame,
    /// The last frame left, cleared, whose memory the next one reuses.
    spare: Frame,
    scope: Scope,
    within: Within,
    /// The end of the section.
    end: usize,
    pub deferred: DeferredBodies<'a>,
}

impl<'a> IrReader<'a> {
    /// A reader of a file's operations that defers the bodies that `defer`
    /// selects.
    pub fn new(tables: Tables<'a>, properties: Properties<'a>, defer: Defer) -> Self {
        IrReader {
            tables,
            properties,
            frame: Frame::default(),
            spare: Frame::default(),
            scope: Scope::default(),
            within: Within::default(),
            end: 0,
            deferred: DeferredBodies::new(defer),
        }
    }

    /// Another reader of the same file, which defers nothing.
    pub fn fork(&self) -> Self {
        let tables = self.tables.fork();
        IrReader {
            end: self.end,
            ..IrReader::new(tables, self.properties.fork(), Defer::None)
        }
    }

    /// Resets the reader for a deferred body.
    pub fn start_over(&mut self, within: Within) {
        self.frame.clear();
        self.scope.values.clear();
        self.scope.start = 0;
        self.within = within;
    }

    /// Reads the operations of a file into the only block of a body.
    pub fn read(&mut self, mut data: Cursor<'a>) -> Read<(Body, BlockId)> {
        self.end = data.offset() + data.left();
        let id = self.frame.body.add_top_region();
        let block = self.frame.body.add_block(id, &[]);
        let mut region = Region {
            id,
            blocks: SmallVec::from_slice(&[Some(block)]),
            numbered: false,
            next: 0,
            end: 0,
        };
        let (ops, has_args) = data.flagged()?;
        if has_args {
            return data.error("the top-level block must not have arguments");
        }
        for _ in 0..ops {
            self.op(&mut data, &mut region, block)?;
        }
        if !data.at_end() {
            return data.error("bytes after the last operation");
        }
        Ok((self.finished(data.offset())?, block))
    }

    /// Adds to the announced items, checking that the file is long enough for
    /// them.
    fn announce(&mut self, place: usize, count: u64, what: &str) -> Read<usize> {
        let left = self.end.saturating_sub(place + self.within.pending);
        if count > left as u64 {
            return fail(
                place,
                format!("{count} {what}, but there is space for {left} at most"),
            );
        }
        self.within.pending += count as usize;
        Ok(count as usize)
    }

    fn region(&mut self, data: &mut Cursor<'a>, id: RegionId) -> Read<()> {
        let place = data.offset();
        let count = data.varint()?;
        if count == 0 {
            return Ok(());
        }
        if self.within.depth == MAX_DEPTH {
            return fail(place, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        let count = self.announce(place, count, "blocks")?;
        let memory = 2 * (count * size_of::<BlockData>() + size_of::<RegionData>());
        self.tables.spend(place, memory)?;
        let values = data.varint()?;
        let values = self.announce(place, values, "values")?;
        let next = self.scope.values.len();
        let end = next + values;
        self.scope.values.resize(end, Value::placeholder(UNDEFINED));
        let mut region = Region {
            id,
            blocks: SmallVec::from_elem(None, count),
            numbered: values != 0,
            next,
            end,
        };
        self.within.depth += 1;
        for index in 0..count {
            self.block(data, &mut region, index)?;
        }
        self.within.depth -= 1;
        self.within.pending -= region.end - region.next;
        self.scope.values.truncate(next);
        if count > 1 {
            let order = region.blocks.iter().flatten().copied().collect();
            self.frame.body.order_blocks(id, order);
        }
        Ok(())
    }

    fn block_at(&mut self, region: &mut Region, index: usize) -> BlockId {
        let body = &mut self.frame.body;
        *region.blocks[index].get_or_insert_with(|| body.add_block(region.id, &[]))
    }

    fn block(&mut self, data: &mut Cursor<'a>, region: &mut Region, index: usize) -> Read<()> {
        let block = self.block_at(region, index);
        let (ops, has_args) = data.flagged()?;
        self.within.pending -= 1;
        if has_args {
            let count = data.count("arguments")?;
            for _ in 0..count {
                self.argument(data, region, block)?;
            }
            if self.tables.version >= USE_ORDERS && data.byte()? != 0 {
                skip_use_orders(data, count)?;
            }
        }
        for _ in 0..ops {
            self.op(data, region, block)?;
        }
        Ok(())
    }

    fn argument(&mut self, data: &mut Cursor<'a>, region: &mut Region, block: BlockId) -> Read<()> {
        let place = data.offset();
        let (ty, loc) = if self.tables.version >= SHORT_ARGUMENTS {
            let (ty, has_loc) = data.flagged()?;
            let ty = self.tables.type_at(place, ty)?;
            (
                ty,
                if has_loc {
                    self.tables.loc(data)?
                } else {
                    Loc::UNKNOWN
                },
            )
        } else {
            (self.tables.ty(data)?, self.tables.loc(data)?)
        };
        self.tables.spend(place, 2 * size_of::<ValueData>())?;
        let value = self.frame.body.add_argument(block, ty, loc);
        self.define(place, region, value)
    }

    /// Assigns a value the region's next number.
    fn define(&mut self, place: usize, region: &mut Region, value: Value) -> Read<()> {
        if region.next == region.end {
            return fail(place, "the region defines more values than it announces");
        }
        let slot = &mut self.scope.values[region.next];
        if let Some(forward) = slot.placeholder_index()
            && forward != UNDEFINED
        {
            self.frame.forwards[forward as usize - 1] = Some(value);
        }
        *slot = value;
        region.next += 1;
        self.within.pending -= 1;
        Ok(())
    }

    fn op(&mut self, data: &mut Cursor<'a>, region: &mut Region, block: BlockId) -> Read<()> {
        let place = data.offset();
        let entry = self.tables.op_name(data)?;
        if entry.def.is_none() {
            check_unregistered(&self.tables, place, entry.name)?;
        }
        let mask = data.byte()?;
        let loc = self.tables.loc(data)?;
        let dicts = self.attributes(data, mask, entry)?;
        let mut results: SmallVec<[Type; 4]> = SmallVec::new();
        if mask & has::RESULTS != 0 {
            let count = data.count("results")?;
            for _ in 0..count {
                results.push(self.tables.ty(data)?);
            }
        }
        let mut operands: SmallVec<[Value; 4]> = SmallVec::new();
        let mut forward_uses: SmallVec<[u32; 2]> = SmallVec::new();
        if mask & has::OPERANDS != 0 {
            let count = data.count("operands")?;
            for operand in 0..count {
                let value = self.operand(data)?;
                if value.placeholder_index().is_some() {
                    forward_uses.push(operand as u32);
                }
                operands.push(value);
            }
        }
        let mut successors: SmallVec<[BlockId; 4]> = SmallVec::new();
        if mask & has::SUCCESSORS != 0 {
            let count = data.count("successors")?;
            for _ in 0..count {
                let index = data.index(region.blocks.len(), "successor")?;
                successors.push(self.block_at(region, index));
            }
        }
        if mask & has::USE_ORDERS != 0 && self.tables.version >= USE_ORDERS {
            skip_use_orders(data, results.len())?;
        }
        // Arenas grow by a quarter.
        let memory = size_of::<OpData>() + results.len() * size_of::<ValueData>();
        self.tables.spend(place, memory + memory / 4)?;
        let isolated = self
            .tables
            .ctx
            .op_has(entry.name, Traits::ISOLATED_FROM_ABOVE);
        let op = self.frame.body.append_new(
            block,
            NewOp {
                name: entry.name,
                loc,
                properties: dicts.properties,
                attributes: dicts.attributes,
                operands,
                results: &results,
                successors: &successors,
                regions: &[],
                own: isolated.then(Arc::default),
            },
        );
        self.frame
            .uses
            .extend(forward_uses.iter().map(|&at| (op, at)));
        if region.numbered {
            for result in self.frame.body[op].results() {
                self.define(place, region, result)?;
            }
        }
        if mask & has::REGIONS != 0 {
            self.regions(data, op)?;
        }
        Ok(())
    }

    fn operand(&mut self, data: &mut Cursor<'a>) -> Read<Value> {
        let index = data.index(self.scope.len(), "value")?;
        let slot = &mut self.scope.values[self.scope.start + index];
        if slot.placeholder_index() == Some(UNDEFINED) {
            self.frame.forwards.push(None);
            *slot = Value::placeholder(self.frame.forwards.len() as u32);
        }
        Ok(*slot)
    }

    fn regions(&mut self, data: &mut Cursor<'a>, op: OpId) -> Read<()> {
        let place = data.offset();
        let (count, isolated) = data.flagged()?;
        let count = data.check_count(place, count, "regions")?;
        self.tables
            .spend(place, 2 * count * size_of::<RegionData>())?;
        let owner = self.frame.body[op].isolated().is_some();
        if owner && !isolated && self.scope.len() > 0 {
            let name = self.tables.ctx.op_name_str(self.frame.body[op].name);
            return fail(place, format!("the regions of `{name}` must be isolated"));
        }
        let in_section = isolated && self.tables.version >= ISOLATED_SECTIONS;
        let mut section = *data;
        if in_section {
            let (id, inside) = data.section()?;
            if id != Section::Ir as u8 {
                return fail(place, "expected a section of operations");
            }
            section = inside;
        }
        if in_section && owner {
            return self.owned(place, op, section, count);
        }
        let around = isolated.then(|| self.scope.enter());
        let frame = owner.then(|| self.enter());
        for _ in 0..count {
            let region = self.frame.body.new_region();
            if owner {
                self.frame.body.attach_top_region(region);
            } else {
                self.frame.body.attach_region(op, region);
            }
            self.region(&mut section, region)?;
        }
        if in_section && !section.at_end() {
            return section.error("bytes after the last region");
        }
        if !in_section {
            *data = section;
        }
        if let Some(around) = around {
            self.scope.leave(around);
        }
        if let Some(frame) = frame {
            let inner = self.finished(section.offset())?;
            self.leave(frame, op, inner);
        }
        Ok(())
    }

    /// Reads the regions of an operation that owns them, which form a section.
    fn owned(&mut self, place: usize, op: OpId, data: Cursor<'a>, count: usize) -> Read<()> {
        let (ctx, depth) = (self.tables.ctx, self.within.depth);
        if self.deferred.takes(&self.frame.body[op], ctx, depth, data) {
            self.tables.spend(place, 2 * size_of::<Skipped>())?;
            self.deferred.add(op, data, count, self.within);
            return Ok(());
        }
        let around = self.scope.enter();
        let frame = self.enter();
        self.deferred.owners.push(op);
        let inner = self.body_of(data, count)?;
        self.deferred.owners.pop();
        self.scope.leave(around);
        self.leave(frame, op, inner);
        Ok(())
    }

    /// Enters a body; returns the frame of the enclosing one.
    fn enter(&mut self) -> Frame {
        let frame = std::mem::take(&mut self.spare);
        std::mem::replace(&mut self.frame, frame)
    }

    /// Stores the finished body in `op` and goes on with the enclosing frame.
    fn leave(&mut self, frame: Frame, op: OpId, inner: Body) {
        self.spare = std::mem::replace(&mut self.frame, frame);
        self.spare.clear();
        if let Some(body) = self.frame.body[op].isolated_mut() {
            *body = inner;
        }
    }

    /// Reads a body whose `count` regions fill `data`.
    pub fn body_of(&mut self, mut data: Cursor<'a>, count: usize) -> Read<Body> {
        for _ in 0..count {
            let region = self.frame.body.add_top_region();
            self.region(&mut data, region)?;
        }
        if !data.at_end() {
            return data.error("bytes after the last region");
        }
        self.finished(data.offset())
    }

    /// Finishes the current body: resolves forward references and drops spare
    /// capacity.
    fn finished(&mut self, place: usize) -> Read<Body> {
        let Frame {
            body,
            forwards,
            uses,
        } = &mut self.frame;
        for &(op, operand) in uses.iter() {
            let operand = &mut body[op].operands[operand as usize];
            let forward = operand.placeholder_index().and_then(|n| n.checked_sub(1));
            match forward.and_then(|n| forwards[n as usize]) {
                Some(value) => *operand = value,
                None => return fail(place, "a value is used but not defined"),
            }
        }
        Ok(body.extract())
    }
}

/// Skips use-list orders: this IR keeps none.
fn skip_use_orders(data: &mut Cursor<'_>, values: usize) -> Read<()> {
    let count = if values > 1 {
        data.count("orders of uses")?
    } else {
        1
    };
    for _ in 0..count {
        if values > 1 {
            let place = data.offset();
            let index = data.varint()?;
            check_index(place, index, values, "value")?;
        }
        let place = data.offset();
        let (indices, _) = data.flagged()?;
        for _ in 0..data.check_count(place, indices, "uses")? {
            data.varint()?;
        }
    }
    Ok(())
}
