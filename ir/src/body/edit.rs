//! Building and changing bodies.

use smallvec::SmallVec;

use super::{
    BlockData, BlockId, Body, IdList, OpData, OpId, OpState, RegionData, RegionId, Value,
    ValueData, ValueDef,
};
use crate::attr::AttrDict;
use crate::location::Loc;
use crate::op::{OpName, Traits};
use crate::types::Type;

/// Items from which on an arena is large.
const LARGE: usize = 1 << 16;

/// An operation to be made, with everything that hangs on it.
pub(crate) struct NewOp<'a> {
    pub name: OpName,
    pub loc: Loc,
    pub properties: AttrDict,
    pub attributes: AttrDict,
    pub operands: SmallVec<[Value; 4]>,
    pub results: &'a [Type],
    pub successors: &'a [BlockId],
    /// Regions that belong to nothing yet.
    pub regions: &'a [RegionId],
    /// The body of an operation isolated from above.
    pub own: Option<Box<Body>>,
}

/// Building and changing.
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

    /// A region that belongs to nothing yet: the text form has regions before
    /// the operation is complete.
    pub(crate) fn new_region(&mut self) -> RegionId {
        let region = RegionId::from_len(self.regions.len());
        self.regions.push(RegionData::default());
        region
    }

    /// Gives a region made by [`Body::new_region`] to the isolated operation
    /// that owns this body.
    pub(crate) fn attach_top_region(&mut self, region: RegionId) {
        self.top.push(region);
    }

    /// Gives a region made by [`Body::new_region`] to an operation. Panics as
    /// [`Body::add_region`] does.
    pub(crate) fn attach_region(&mut self, op: OpId, region: RegionId) {
        self.regions[region.index()].parent = Some(op);
        self[op].push_region(region);
    }

    /// The operations that own a body, in the order of [`Body::walk`]: each can
    /// be changed on its own, by a thread of its own.
    pub fn owners_mut(&mut self) -> Vec<(OpId, &mut OpData)> {
        let order = self.walk();
        let mut ops: Vec<Option<&mut OpData>> = self.ops.iter_mut().map(Some).collect();
        let owners = order.into_iter().filter_map(|op| {
            let data = ops[op.index()].take()?;
            data.isolated().is_some().then_some((op, data))
        });
        owners.collect()
    }

    /// Takes over everything in `other`. This body must be empty, though it may
    /// have room: the ids stay the same.
    pub(crate) fn take_over(&mut self, other: &mut Body) {
        debug_assert!(self.regions.is_empty() && self.blocks.is_empty());
        self.ops.append(&mut other.ops);
        self.blocks.append(&mut other.blocks);
        self.regions.append(&mut other.regions);
        self.values.append(&mut other.values);
        self.top = std::mem::take(&mut other.top);
    }

    /// Moves everything into a body without spare room. What room this one has
    /// stays for the next: growing anew for each function would touch twice the
    /// memory.
    pub(crate) fn move_out(&mut self) -> Body {
        fn exact<T>(list: &mut Vec<T>) -> Vec<T> {
            if list.len() >= LARGE {
                // A large one goes itself: two of them would be too much at a time.
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

    /// Removes the arguments of a block for which `keep` is false, by position.
    /// They must have no uses left.
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

    /// Puts the blocks of a region into this order; `order` lists all of them.
    pub(crate) fn order_blocks(&mut self, region: RegionId, order: IdList<BlockId>) {
        self.regions[region.index()].blocks = order;
    }

    /// Takes a block out of its region; its operations stay in it.
    pub fn remove_block(&mut self, block: BlockId) {
        if let Some(region) = self.blocks[block.index()].parent.take() {
            self.regions[region.index()].blocks.retain(|b| *b != block);
        }
    }

    /// Takes the blocks for which `keep` is false out of a region, in one pass;
    /// their operations stay in them.
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

    /// Moves a block to position `index` of a region of this body.
    pub fn move_block(&mut self, block: BlockId, region: RegionId, index: usize) {
        self.remove_block(block);
        self.regions[region.index()].blocks.insert(index, block);
        self.blocks[block.index()].parent = Some(region);
    }

    /// Creates a detached operation. An operation known to be isolated from
    /// above is given an empty body of its own.
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
            own: isolated.then(Box::default),
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

    /// Puts a detached operation at the end of a block.
    pub fn append(&mut self, block: BlockId, op: OpId) {
        let last = self[block].last;
        self.link(op, block, last, None);
    }

    /// Puts a detached operation at the start of a block.
    pub fn prepend(&mut self, block: BlockId, op: OpId) {
        let first = self[block].first;
        self.link(op, block, None, first);
    }

    /// Puts a detached operation before one that is in a block.
    pub fn insert_before(&mut self, anchor: OpId, op: OpId) {
        let block = self[anchor].parent.expect("the anchor is in a block");
        let prev = self[anchor].prev;
        self.link(op, block, prev, Some(anchor));
    }

    /// Puts a detached operation after one that is in a block.
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

    /// Takes an operation out of its block; it keeps its regions.
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

    /// Detaches an operation for good and frees what it owns. Its results must
    /// have no uses left outside its own regions.
    pub fn erase(&mut self, op: OpId) {
        self.detach(op);
        for below in self.walk_op(op) {
            let data = &mut self[below];
            data.operands.clear();
            data.clear_regions();
        }
    }

    /// Changes the type of a value.
    pub fn set_type(&mut self, value: Value, ty: Type) {
        self.values[value.index()].ty = ty;
    }

    /// Replaces every use of `from` in this body by `to`. Scans the body; to
    /// replace many values use [`Body::replace_values`].
    pub fn replace_uses(&mut self, from: Value, to: Value) {
        self.replace_values(|value| if value == from { to } else { value });
    }

    /// Maps every operand of every attached operation through `replacement`.
    pub fn replace_values(&mut self, mut replacement: impl FnMut(Value) -> Value) {
        for op in self.walk() {
            for operand in &mut self[op].operands {
                *operand = replacement(*operand);
            }
        }
    }

    /// Maps every operand of `root` and the operations below it.
    pub fn replace_values_in(&mut self, root: OpId, mut replacement: impl FnMut(Value) -> Value) {
        for op in self.walk_op(root) {
            for operand in &mut self[op].operands {
                *operand = replacement(*operand);
            }
        }
    }
}

/// Adds to an arena. Large ones grow by a quarter: what doubling leaves unused
/// would be most of what a large program takes.
fn push<T>(arena: &mut Vec<T>, item: T) {
    if arena.len() == arena.capacity() && arena.len() >= LARGE {
        arena.reserve_exact(arena.len() / 4);
    }
    arena.push(item);
}
