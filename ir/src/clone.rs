//! Cloning of operations, within a body and from one body to another.

use smallvec::SmallVec;

use crate::body::{BlockId, Body, NewOp, OpId, RegionId, Value, ValueData};
use crate::hash::FxHashMap;
use crate::types::Type;

/// Value and block map of a clone: source ⇒ copy. A value that the map lacks stands for itself,
/// which is right within one body; a clone into another body must map every value defined outside
/// the cloned operation.
#[derive(Clone, Default, Debug)]
pub struct IrMapping {
    /// Values of the source, each with its copy.
    pub values: FxHashMap<Value, Value>,
    /// Blocks of the source, each with its copy.
    pub blocks: FxHashMap<BlockId, BlockId>,
}

impl IrMapping {
    /// An empty mapping.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty mapping with room for this many values.
    pub fn with_capacity(values: usize) -> Self {
        let mut map = Self::default();
        map.values.reserve(values);
        map
    }

    /// Returns the copy of `value`, or `value` itself where the mapping has none.
    pub fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// Maps `from` to `to`.
    pub fn map(&mut self, from: Value, to: Value) {
        self.values.insert(from, to);
    }
}

impl Body {
    /// Copies `op` of this body, regions included; the copy is detached.
    pub fn clone_op(&mut self, op: OpId, map: &mut IrMapping) -> OpId {
        self.clone_tree(None, op, map)
    }

    /// Copies `op` of another body, regions included; the copy is detached.
    /// Results and block arguments are added to `map` as they are made.
    pub fn clone_op_from(&mut self, source: &Body, op: OpId, map: &mut IrMapping) -> OpId {
        self.clone_tree(Some(source), op, map)
    }

    /// Copies this body into new arenas, in the order of the text, without the erased operations,
    /// which keep their memory in the old ones.
    pub fn compacted(&self) -> Body {
        let mut copy = Body::default();
        let mut map = IrMapping::new();
        let regions = self.regions().iter();
        let regions = regions.map(|&region| (region, copy.add_top_region()));
        let regions = regions.collect();
        copy.clone_regions(Some(self), regions, &mut map);
        for op in copy.walk() {
            copy.map_operands(op, &map);
        }
        copy
    }

    /// Copies an operation of `source`, or of this body where that is [`None`]. The copy only
    /// appends to the arenas, so that the ids being read stay valid.
    fn clone_tree(&mut self, source: Option<&Body>, op: OpId, map: &mut IrMapping) -> OpId {
        let copy = self.clone_shell(source, op, map);
        let regions = self.pair_regions(source, op, copy);
        self.clone_regions(source, regions, map);
        for op in self.walk_op(copy) {
            self.map_operands(op, map);
        }
        copy
    }

    /// Fills regions, the second of each pair, with copies of what lies in the first; operands are
    /// still the source's.
    fn clone_regions(
        &mut self,
        source: Option<&Body>,
        mut pending: Vec<(RegionId, RegionId)>,
        map: &mut IrMapping,
    ) {
        // Pre-order over regions still to fill; iterative because nesting
        // depth is the input's choice.
        while let Some((from, to)) = pending.pop() {
            let children = self.clone_blocks(source, from, to, map);
            for (child, child_copy) in children {
                pending.extend(self.pair_regions(source, child, child_copy));
            }
        }
    }

    /// Maps the operands and successors of a copy. They may be forward references (graph regions,
    /// successors of later blocks), so every value exists before.
    fn map_operands(&mut self, copy: OpId, map: &IrMapping) {
        let data = &mut self[copy];
        for operand in &mut data.operands {
            *operand = map.value(*operand);
        }
        for successor in data.successors_mut() {
            *successor = map.blocks.get(successor).copied().unwrap_or(*successor);
        }
    }

    /// Appends copies of the blocks of `from` to `to`, with shells of their operations.
    fn clone_blocks(
        &mut self,
        source: Option<&Body>,
        from: RegionId,
        to: RegionId,
        map: &mut IrMapping,
    ) -> Vec<(OpId, OpId)> {
        let mut children = Vec::new();
        let blocks = source.unwrap_or(self)[from].blocks.clone();
        for &block in &blocks {
            let copy = self.add_block(to, &[]);
            map.blocks.insert(block, copy);
            let args = source.unwrap_or(self)[block].args.clone();
            for &arg in &args {
                let ValueData { ty, loc, .. } = source.unwrap_or(self)[arg];
                let arg_copy = self.add_argument(copy, ty, loc);
                map.map(arg, arg_copy);
            }
            let mut next = source.unwrap_or(self)[block].first();
            while let Some(op) = next {
                let op_copy = self.clone_shell(source, op, map);
                self.append(copy, op_copy);
                children.push((op, op_copy));
                next = source.unwrap_or(self)[op].next();
            }
        }
        children
    }

    fn pair_regions(
        &mut self,
        source: Option<&Body>,
        op: OpId,
        copy: OpId,
    ) -> Vec<(RegionId, RegionId)> {
        let regions = source.unwrap_or(self)[op].inline_regions();
        let regions: SmallVec<[RegionId; 2]> = regions.into();
        let pairs = regions.into_iter();
        pairs
            .map(|region| (region, self.add_region(copy)))
            .collect()
    }

    /// Makes a detached copy without inline regions; its operands are still the source's.
    fn clone_shell(&mut self, source: Option<&Body>, op: OpId, map: &mut IrMapping) -> OpId {
        let from = source.unwrap_or(self);
        let data = &from[op];
        let results: SmallVec<[Type; 4]> = data.results().map(|result| from.ty(result)).collect();
        let successors: SmallVec<[BlockId; 2]> = data.successors().into();
        let values = data.results();
        let shell = NewOp {
            name: data.name,
            loc: data.loc,
            properties: data.properties,
            attributes: data.attributes,
            operands: data.operands.clone(),
            results: &results,
            successors: &successors,
            regions: &[],
            own: data.share_isolated(),
        };
        let copy = self.create_op_with(shell);
        for (from, to) in values.zip(self[copy].results()) {
            map.map(from, to);
        }
        copy
    }
}
