//! Bodies: arenas of operations, blocks, regions and values, which have dense
//! ids.
//!
//! Every operation isolated from above (a module, a function) owns the [`Body`] of its regions; all
//! other regions live in the body of the operation that holds them. An id is valid in its own body
//! only, so a pass that is given `&mut Body` cannot touch the function next door.
//!
//! Operations of a block form a doubly linked list; there are no use lists
//! (see [`Body::uses`]), which keeps parsing and cloning cheap.

mod edit;
mod groups;
mod ids;
mod inherent;
mod kind;
mod list;
mod op_data;
mod uses;
mod walk;

use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

use smallvec::SmallVec;

use crate::attr::{Attr, AttrDict};
use crate::attr_names::AttrName;
use crate::context::Context;
use crate::context::OpName;
use crate::location::Loc;
use crate::types::Type;

pub(crate) use edit::NewOp;
pub use groups::Groups;
pub use ids::{BlockId, OpId, RegionId, Value};
pub use inherent::{
    AffineMapAttr, AnyAttr, ArrayAttr, AttrValue, BoolAttr, EnumerantAttr, FlatSymbolAttr,
    I32ArrayAttr, I64ArrayAttr, Inherent, IntegerAttr, IntegerSetAttr, IntegersAttr, StringAttr,
    TypeAttr, UnitAttr,
};
pub(crate) use kind::{Kind, Kinds};
pub use list::IdList;
pub use op_data::{OpData, Regions};
pub use uses::{Use, Uses};

/// A block's fields.
#[derive(Clone, Default, Debug)]
pub struct BlockData {
    /// Arguments.
    pub args: IdList<Value>,
    parent: Option<RegionId>,
    first: Option<OpId>,
    last: Option<OpId>,
}

/// A region's fields.
#[derive(Clone, Default, Debug)]
pub struct RegionData {
    /// Blocks in textual order; the first one is the entry.
    pub blocks: IdList<BlockId>,
    parent: Option<OpId>,
}

/// The definition of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// Result `index` of an operation.
    Result(OpId, u32),
    /// Argument `index` of a block.
    Argument(BlockId, u32),
}

/// A value's fields. Values are as numerous as operations, so the definition is
/// packed into two words.
#[derive(Clone, Copy, Debug)]
pub struct ValueData {
    /// Type.
    pub ty: Type,
    /// Location of a block argument; unknown for results.
    pub loc: Loc,
    /// The id of the defining operation or block.
    owner: NonZeroU32,
    /// The index among the results or arguments, shifted left by a flag bit that is set for
    /// arguments. Indices are below the number of values, which is below 2^31.
    place: u32,
}

impl ValueData {
    fn new(ty: Type, def: ValueDef, loc: Loc) -> Self {
        let (owner, place) = match def {
            ValueDef::Result(op, index) => (op.0, index << 1),
            ValueDef::Argument(block, index) => (block.0, index << 1 | 1),
        };
        ValueData {
            ty,
            loc,
            owner,
            place,
        }
    }

    /// The definition, unpacked.
    #[inline]
    pub fn def(&self) -> ValueDef {
        let index = self.place >> 1;
        match self.place & 1 {
            0 => ValueDef::Result(OpId(self.owner), index),
            _ => ValueDef::Argument(BlockId(self.owner), index),
        }
    }
}

/// Builder state of an operation to create; see [`Body::create_op`].
#[derive(Clone, Debug)]
pub struct OpState {
    /// Name.
    pub name: OpName,
    /// Source location.
    pub loc: Loc,
    /// Inherent attributes.
    pub properties: AttrDict,
    /// Discardable attributes.
    pub attributes: AttrDict,
    /// Operands.
    pub operands: SmallVec<[Value; 4]>,
    /// Result types.
    pub results: SmallVec<[Type; 2]>,
    /// Successors.
    pub successors: SmallVec<[BlockId; 2]>,
}

impl OpState {
    /// An operation without operands, results and attributes.
    pub fn new(name: OpName, loc: Loc) -> Self {
        OpState {
            name,
            loc,
            properties: AttrDict::EMPTY,
            attributes: AttrDict::EMPTY,
            operands: SmallVec::new(),
            results: SmallVec::new(),
            successors: SmallVec::new(),
        }
    }

    /// Sets the operands.
    #[must_use]
    pub fn operands(mut self, operands: &[Value]) -> Self {
        self.operands = operands.into();
        self
    }

    /// Sets the result types.
    #[must_use]
    pub fn results(mut self, results: &[Type]) -> Self {
        self.results = results.into();
        self
    }

    /// Sets the inherent attribute `name`.
    #[must_use]
    pub fn property(mut self, ctx: &Context, name: impl AttrName, value: Attr) -> Self {
        self.properties = self.properties.with(ctx, name.ident(ctx), value);
        self
    }
}

/// Arenas of operations, blocks, regions and values; see the module page.
#[derive(Clone, Default, Debug)]
pub struct Body {
    ops: Vec<OpData>,
    blocks: Vec<BlockData>,
    regions: Vec<RegionData>,
    values: Vec<ValueData>,
    top: SmallVec<[RegionId; 1]>,
}

impl Index<OpId> for Body {
    type Output = OpData;
    fn index(&self, op: OpId) -> &OpData {
        &self.ops[op.index()]
    }
}

impl IndexMut<OpId> for Body {
    fn index_mut(&mut self, op: OpId) -> &mut OpData {
        &mut self.ops[op.index()]
    }
}

impl Index<BlockId> for Body {
    type Output = BlockData;
    fn index(&self, block: BlockId) -> &BlockData {
        &self.blocks[block.index()]
    }
}

impl Index<RegionId> for Body {
    type Output = RegionData;
    fn index(&self, region: RegionId) -> &RegionData {
        &self.regions[region.index()]
    }
}

impl Index<Value> for Body {
    type Output = ValueData;
    fn index(&self, value: Value) -> &ValueData {
        &self.values[value.index()]
    }
}

impl BlockData {
    /// The region the block is in.
    pub fn parent(&self) -> Option<RegionId> {
        self.parent
    }

    /// First operation.
    pub fn first(&self) -> Option<OpId> {
        self.first
    }

    /// Last operation: the terminator, where the region needs one.
    pub fn last(&self) -> Option<OpId> {
        self.last
    }
}

impl RegionData {
    /// The operation of this body that holds the region; `None` for the
    /// regions of the isolated operation that owns the body.
    pub fn parent(&self) -> Option<OpId> {
        self.parent
    }

    /// The entry block.
    pub fn entry(&self) -> Option<BlockId> {
        self.blocks.first().copied()
    }
}

/// Queries.
impl Body {
    /// An empty body.
    pub fn new() -> Self {
        Self::default()
    }

    /// The regions of the isolated operation that owns this body.
    pub fn regions(&self) -> &[RegionId] {
        &self.top
    }

    /// The blocks of these regions, in order.
    pub fn top_blocks(&self) -> impl Iterator<Item = BlockId> {
        let regions = self.top.iter();
        regions.flat_map(|&region| self[region].blocks.iter().copied())
    }

    /// The entry block of the first region.
    pub fn entry(&self) -> Option<BlockId> {
        self[*self.top.first()?].entry()
    }

    /// Size of the operation arena, erased operations included: for side tables.
    pub fn op_capacity(&self) -> usize {
        self.ops.len()
    }

    /// Size of the block arena, for side tables.
    pub fn block_capacity(&self) -> usize {
        self.blocks.len()
    }

    /// Size of the value arena, for side tables.
    pub fn value_capacity(&self) -> usize {
        self.values.len()
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self[value].ty
    }

    /// Returns the operation that defines a value; `None` for a block argument.
    pub fn defining_op(&self, value: Value) -> Option<OpId> {
        match self[value].def() {
            ValueDef::Result(op, _) => Some(op),
            ValueDef::Argument(..) => None,
        }
    }

    /// The operations of a block in order.
    pub fn ops(&self, block: BlockId) -> impl Iterator<Item = OpId> + Clone + '_ {
        std::iter::successors(self[block].first, move |&op| self[op].next)
    }

    /// The operations of a block in order, without the terminator, which is the last one (MLIR's
    /// `Block::without_terminator`). A list, so that the caller may move them.
    pub fn without_terminator(&self, block: BlockId) -> Vec<OpId> {
        let mut ops: Vec<OpId> = self.ops(block).collect();
        ops.pop();
        ops
    }

    /// The operation whose region holds `op`; `None` at the top of the body.
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.block_parent_op(self[op].parent?)
    }

    /// The operations around `op`, from its parent outwards.
    pub fn ancestors(&self, op: OpId) -> impl Iterator<Item = OpId> + Clone + '_ {
        std::iter::successors(self.parent_op(op), |&op| self.parent_op(op))
    }

    /// The operation whose region holds `block`; `None` at the top of the body.
    pub fn block_parent_op(&self, block: BlockId) -> Option<OpId> {
        self[self[block].parent?].parent
    }

    /// Returns the block that a value is defined in.
    pub fn value_block(&self, value: Value) -> Option<BlockId> {
        match self[value].def() {
            ValueDef::Result(op, _) => self[op].parent,
            ValueDef::Argument(block, _) => Some(block),
        }
    }

    /// Whether a value is defined in a region of `op`, at any depth: by an operation there, or as an argument
    /// of a block there.
    pub fn is_defined_in(&self, value: Value, op: OpId) -> bool {
        let block = self.value_block(value);
        let around = block.and_then(|block| self.block_parent_op(block));
        around.is_some_and(|around| self.is_ancestor(op, around))
    }

    /// Whether a value is defined before `op`, in a block around it or in the entry block of the body, so that `op` can use it.
    /// Of other blocks, which may dominate that of `op` all the same, the answer is no.
    pub fn is_defined_before(&self, value: Value, op: OpId) -> bool {
        let Some(block) = self.value_block(value) else {
            return false;
        };
        match (self.ancestor_in_block(op, block), self.defining_op(value)) {
            (Some(around), Some(maker)) => {
                let mut behind = std::iter::successors(self[maker].next(), |&op| self[op].next());
                behind.any(|op| op == around)
            }
            (Some(_), None) => true,
            (None, _) => self.entry() == Some(block),
        }
    }

    /// Returns the blocks of the regions of `op` that lie in this body, in order.
    pub fn blocks_of(&self, op: OpId) -> impl Iterator<Item = BlockId> {
        let regions = self[op].inline_regions().iter();
        regions.flat_map(|&region| self[region].blocks.iter().copied())
    }

    /// Returns the ancestor of `op` (itself included) that lies in `block`.
    pub fn ancestor_in_block(&self, op: OpId, block: BlockId) -> Option<OpId> {
        let mut op = op;
        while self[op].parent != Some(block) {
            op = self.parent_op(op)?;
        }
        Some(op)
    }

    /// Whether `ancestor` is `op` or holds it in a region of this body.
    pub fn is_ancestor(&self, ancestor: OpId, op: OpId) -> bool {
        std::iter::successors(Some(op), |&op| self.parent_op(op)).any(|op| op == ancestor)
    }

    /// Returns the only block of region `index` of an operation.
    pub fn region_block(&self, op: OpId, index: usize) -> Option<BlockId> {
        self[*self[op].inline_regions().get(index)?].entry()
    }
}
