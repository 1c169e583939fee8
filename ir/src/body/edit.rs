//! Construction and mutation of bodies.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{
    BlockData, BlockId, Body, IdList, OpData, OpId, OpState, RegionData, RegionId, Value,
    ValueData, ValueDef,
};
use crate::attr::AttrDict;
use crate::context::{OpName, Traits};
use crate::location::Loc;
use crate::types::Type;

/// Length from which on an arena counts as large.
const LARGE: usize = 1 << 16;

/// A complete description of an operation to create.
pub(crate) struct NewOp<'a> {
    pub name: OpName,
    pub loc: Loc,
    pub properties: AttrDict,
    pub attributes: AttrDict,
    pub operands: SmallVec<[Value; 4]>,
    pub results: &'a [Type],
    pub successors: &'a [BlockId],
    /// Detached regions.
    pub regions: &'a [RegionId],
    /// The body of its own, for an operation isolated from above.
    pub own: Option<Arc<Body>>,
}

/// Construction and mutation.
impl Body {
    /// Adds a region to the isolated operation that owns this body.
    pub fn add_top_region(&mut self) -> RegionId {
        let region = self.new_region();
        self.attach_top_region(region);
        region
    }

    /// Adds a region to an operation of this body. Panics on an operation
    /// that owns a body: its regions belong there.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let region = self.new_region();
        self.attach_region(op, region);
        region
    }

    /// Creates a detached region: the text form has regions before their operation is complete.
    pub fn new_region(&mut self) -> RegionId {
        let region = RegionId::from_len(self.regions.len());
        self.regions.push(RegionData::default());
        region
    }

    /// Attaches a detached region to the isolated operation that owns this body.
    pub(crate) fn attach_top_region(&mut self, region: RegionId) {
        self.top.push(region);
    }

    /// Attaches a detached region to an operation. Panics as [`Body::add_region`]
    /// does.
    pub(crate) fn attach_region(&mut self, op: OpId, region: RegionId) {
        self.regions[region.index()].parent = Some(op);
        self[op].push_region(region);
    }

    /// Returns the operations that own a body, in the order of [`Body::walk`]. Separate threads may
    /// mutate them.
    pub fn owners_mut(&mut self) -> Vec<(OpId, &mut OpData)> {
        let order = self.walk();
        let mut ops: Vec<Option<&mut OpData>> = self.ops.iter_mut().map(Some).collect();
        let owners = order.into_iter().filter_map(|op| {
            let data = ops[op.index()].take()?;
            data.isolated().is_some().then_some((op, data))
        });
        owners.collect()
    }

    /// Moves everything out of `other` into this body, which must be empty (spare
    /// capacity aside). Ids stay valid.
    pub(crate) fn adopt(&mut self, other: &mut Body) {
        debug_assert!(self.regions.is_empty() && self.blocks.is_empty());
        self.ops.append(&mut other.ops);
        self.blocks.append(&mut other.blocks);
        self.regions.append(&mut other.regions);
        self.values.append(&mut other.values);
        self.top = std::mem::take(&mut other.top);
    }

    /// Moves everything into a body without spare capacity. This body keeps its
    /// capacity for the next use: growing arenas anew for each function would touch
    /// twice the memory.
    pub(crate) fn extract(&mut self) -> Body {
        fn exact<T>(list: &mut Vec<T>) -> Vec<T> {
            if list.len() >= LARGE {
                // A large arena moves itself, since a copy would double its memory.
                let mut moved = std::mem::take(list);
                moved.shrink_to_fit();
                return moved;
            }
            let mut moved = Vec::with_capacity(list.len());
            moved.append(list);
            moved
        }
        Body {
            ops: exact(&mut self.ops),
            blocks: exact(&mut self.blocks),
            regions: exact(&mut self.regions),
            values: exact(&mut self.values),
            top: std::mem::take(&mut self.top),
        }
    }

    /// Appends a block with arguments of these types.
    pub fn add_block(&mut self, region: RegionId, args: &[Type]) -> BlockId {
        let block = BlockId::from_len(self.blocks.len());
        self.blocks.push(BlockData {
            parent: Some(region),
            ..BlockData::default()
        });
        self.regions[region.index()].blocks.push(block);
        for &ty in args {
            self.add_argument(block, ty, Loc::UNKNOWN);
        }
        block
    }

    /// Appends an argument to a block.
    pub fn add_argument(&mut self, block: BlockId, ty: Type, loc: Loc) -> Value {
        let index = self[block].args.len() as u32;
        let value = Value::from_len(self.values.len());
        let def = ValueDef::Argument(block, index);
        self.values.push(ValueData::new(ty, def, loc));
        self.blocks[block.index()].args.push(value);
        value
    }

    /// Removes the arguments of a block for which `keep`, given the index, is false. They must be
    /// unused.
    pub fn retain_arguments(&mut self, block: BlockId, mut keep: impl FnMut(usize) -> bool) {
        let args = std::mem::take(&mut self.blocks[block.index()].args);
        let kept = args.iter().enumerate().filter(|&(i, _)| keep(i));
        let kept: IdList<Value> = kept.map(|(_, &arg)| arg).collect();
        for (index, arg) in (0..).zip(&kept) {
            let ValueData { ty, loc, .. } = self.values[arg.index()];
            let def = ValueDef::Argument(block, index);
            self.values[arg.index()] = ValueData::new(ty, def, loc);
        }
        self.blocks[block.index()].args = kept;
    }

    /// Reorders the blocks of a region; `order` lists all of them.
    pub(crate) fn order_blocks(&mut self, region: RegionId, order: IdList<BlockId>) {
        self.regions[region.index()].blocks = order;
    }

    /// Detaches a block from its region, with its operations.
    pub fn remove_block(&mut self, block: BlockId) {
        if let Some(region) = self.blocks[block.index()].parent.take() {
            self.regions[region.index()].blocks.retain(|b| *b != block);
        }
    }

    /// Detaches the blocks for which `keep` is false from a region, in one pass,
    /// with their operations.
    pub fn retain_blocks(&mut self, region: RegionId, mut keep: impl FnMut(BlockId) -> bool) {
        let blocks = &mut self.blocks;
        self.regions[region.index()].blocks.retain(|&block| {
            let stays = keep(block);
            if !stays {
                blocks[block.index()].parent = None;
            }
            stays
        });
    }

    /// Moves a block to index `index` of a region of this body.
    pub fn move_block(&mut self, block: BlockId, region: RegionId, index: usize) {
        self.remove_block(block);
        self.regions[region.index()].blocks.insert(index, block);
        self.blocks[block.index()].parent = Some(region);
    }

    /// Reserves capacity for this many more operations, most of one result: arenas that grow copy
    /// their elements.
    pub fn reserve(&mut self, ops: usize) {
        self.ops.reserve(ops);
        self.values.reserve(ops);
    }

    /// Creates a detached operation. One known to be isolated from above gets an
    /// empty body of its own.
    pub fn create_op(&mut self, state: OpState) -> OpId {
        let isolated = state.name.has(Traits::ISOLATED_FROM_ABOVE);
        self.create_op_with(NewOp {
            name: state.name,
            loc: state.loc,
            properties: state.properties,
            attributes: state.attributes,
            operands: state.operands,
            results: &state.results,
            successors: &state.successors,
            regions: &[],
            own: isolated.then(Arc::default),
        })
    }

    /// Creates a detached operation with its regions.
    pub(crate) fn create_op_with(&mut self, new: NewOp) -> OpId {
        let op = OpId::from_len(self.ops.len());
        let first_result = self.values.len() as u32;
        for (index, &ty) in (0..).zip(new.results) {
            let def = ValueDef::Result(op, index);
            push(&mut self.values, ValueData::new(ty, def, Loc::UNKNOWN));
        }
        for &region in new.regions {
            self.regions[region.index()].parent = Some(op);
        }
        push(&mut self.ops, OpData::new(new, first_result));
        op
    }

    /// Creates an operation with its regions at the end of a block.
    pub(crate) fn append_new(&mut self, block: BlockId, new: NewOp) -> OpId {
        let op = self.create_op_with(new);
        let last = self.blocks[block.index()].last.replace(op);
        match last {
            Some(last) => self.ops[last.index()].next = Some(op),
            None => self.blocks[block.index()].first = Some(op),
        }
        if let Some(data) = self.ops.last_mut() {
            (data.parent, data.prev) = (Some(block), last);
        }
        op
    }

    /// Appends a detached operation to a block.
    pub fn append(&mut self, block: BlockId, op: OpId) {
        let last = self[block].last;
        self.link(op, block, last, None);
    }

    /// Prepends a detached operation to a block.
    pub fn prepend(&mut self, block: BlockId, op: OpId) {
        let first = self[block].first;
        self.link(op, block, None, first);
    }

    /// Inserts a detached operation before one that is in a block.
    pub fn insert_before(&mut self, anchor: OpId, op: OpId) {
        let block = self[anchor].parent.expect("the anchor is in a block");
        let prev = self[anchor].prev;
        self.link(op, block, prev, Some(anchor));
    }

    /// Inserts a detached operation after one that is in a block.
    pub fn insert_after(&mut self, anchor: OpId, op: OpId) {
        let block = self[anchor].parent.expect("the anchor is in a block");
        let next = self[anchor].next;
        self.link(op, block, Some(anchor), next);
    }

    fn link(&mut self, op: OpId, block: BlockId, prev: Option<OpId>, next: Option<OpId>) {
        assert!(
            self[op].parent.is_none(),
            "only a detached operation can be inserted"
        );
        let data = &mut self[op];
        (data.parent, data.prev, data.next) = (Some(block), prev, next);
        match prev {
            Some(prev) => self[prev].next = Some(op),
            None => self.blocks[block.index()].first = Some(op),
        }
        match next {
            Some(next) => self[next].prev = Some(op),
            None => self.blocks[block.index()].last = Some(op),
        }
    }

    /// Moves all operations of a block to the end of another.
    pub fn move_ops(&mut self, from: BlockId, to: BlockId) {
        while let Some(op) = self[from].first {
            self.detach(op);
            self.append(to, op);
        }
    }

    /// Moves the operations of a block but for its last one, the terminator, to another: in front of `end` there, or to its end.
    pub fn move_statements(&mut self, from: BlockId, to: BlockId, end: Option<OpId>) {
        while let Some(op) = self[from]
            .first
            .filter(|_| self[from].first != self[from].last)
        {
            self.detach(op);
            match end {
                Some(end) => self.insert_before(end, op),
                None => self.append(to, op),
            }
        }
    }

    /// Detaches an operation from its block, with its regions.
    pub fn detach(&mut self, op: OpId) {
        let Some(block) = self[op].parent.take() else {
            return;
        };
        let (prev, next) = (self[op].prev.take(), self[op].next.take());
        match prev {
            Some(prev) => self[prev].next = next,
            None => self.blocks[block.index()].first = next,
        }
        match next {
            Some(next) => self[next].prev = prev,
            None => self.blocks[block.index()].last = prev,
        }
    }

    /// Detaches an operation for good and frees its regions and body. Its results must have no uses
    /// left outside its own regions.
    pub fn erase(&mut self, op: OpId) {
        self.detach(op);
        if self[op].inline_regions().is_empty() {
            self[op].operands.clear();
            self[op].clear_regions();
            return;
        }
        for below in self.walk_op(op) {
            let data = &mut self[below];
            data.operands.clear();
            data.clear_regions();
        }
    }

    /// Sets the type of a value.
    pub fn set_type(&mut self, value: Value, ty: Type) {
        self.values[value.index()].ty = ty;
    }

    /// Maps the type of every value of this body through `retyped`. Returns whether any changed.
    pub fn retype_values(&mut self, retyped: impl Fn(Type) -> Type) -> bool {
        let mut changed = false;
        for value in &mut self.values {
            let ty = retyped(value.ty);
            changed |= ty != value.ty;
            value.ty = ty;
        }
        changed
    }

    /// Replaces every use of `from` in this body by `to`. Scans the body; to
    /// replace many values use [`Body::replace_values`].
    pub fn replace_uses(&mut self, from: Value, to: Value) {
        self.replace_values(|value| if value == from { to } else { value });
    }

    /// Replaces every use of the results of an operation by values, of which there may be more.
    /// Scans the region that the operation is in: no use may have moved out of it.
    pub fn replace_results(&mut self, op: OpId, new: &[Value]) {
        let old = self[op].results();
        let Some(first) = old.clone().next() else {
            return;
        };
        let count = old.len();
        let replacement = |value: Value| {
            let place = value.index().checked_sub(first.index());
            place
                .filter(|&place| place < count)
                .map_or(value, |place| new[place])
        };
        let region = self[op].parent.and_then(|block| self[block].parent);
        let scope = region.map_or_else(|| self.walk(), |region| self.walk_in(region));
        self.replace_in(scope, replacement);
        debug_assert!(
            (self.walk().iter().flat_map(|&op| &self[op].operands))
                .all(|&operand| replacement(operand) == operand),
            "a result is used outside of the region of its operation"
        );
    }

    /// Replaces an operation by values that stand for its results, of which there may be more, as
    /// [`Body::replace_results`] does, and erases it.
    pub fn replace_op(&mut self, op: OpId, new: &[Value]) {
        self.replace_results(op, new);
        self.erase(op);
    }

    /// Maps every operand of every attached operation through `replacement`.
    pub fn replace_values(&mut self, replacement: impl FnMut(Value) -> Value) {
        self.replace_in(self.walk(), replacement);
    }

    /// Maps every operand of `root` and of the operations nested in it.
    pub fn replace_values_in(&mut self, root: OpId, replacement: impl FnMut(Value) -> Value) {
        self.replace_in(self.walk_op(root), replacement);
    }

    /// Maps every operand of some operations.
    fn replace_in(&mut self, ops: Vec<OpId>, mut replacement: impl FnMut(Value) -> Value) {
        for op in ops {
            for operand in &mut self[op].operands {
                *operand = replacement(*operand);
            }
        }
    }
}

/// Appends to an arena. A large one grows by a quarter: the room that doubling
/// leaves unused would dominate the memory of a large program.
fn push<T>(arena: &mut Vec<T>, item: T) {
    if arena.len() == arena.capacity() && arena.len() >= LARGE {
        arena.reserve_exact(arena.len() / 4);
    }
    arena.push(item);
}
