//! Cloning of operations, within a body and from one body to another.

use crate::body::{BlockId, Body, OpId, OpState, RegionId, Value};
use crate::hash::FxHashMap;

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
        // The source is read while the destination grows, so the tree is
        // lifted out first; clones of nests are small beside the pass's work.
        let source = self.clone();
        self.clone_op_from(&source, op, map)
    }

    /// Copies `op` of another body, regions included; the copy is detached.
    /// Results and block arguments are added to `map` as they are made.
    pub fn clone_op_from(&mut self, source: &Body, op: OpId, map: &mut IrMapping) -> OpId {
        let copy = self.clone_shell(source, op, map);
        // Pre-order over regions still to fill; iterative because nesting
        // depth is the input's choice.
        let mut pending: Vec<(RegionId, RegionId)> = self.pair_regions(source, op, copy);
        while let Some((from, to)) = pending.pop() {
            let children = self.clone_blocks(source, from, to, map);
            for (child, child_copy) in children {
                pending.extend(self.pair_regions(source, child, child_copy));
            }
        }
        // Operands may be forward references (graph regions, successors of
        // later blocks), so they are mapped when every value exists.
        for op in self.walk_op(copy) {
            let data = &mut self[op];
            for operand in &mut data.operands {
                *operand = map.value(*operand);
            }
            for successor in data.successors_mut() {
                *successor = map.blocks.get(successor).copied().unwrap_or(*successor);
            }
        }
        copy
    }

    /// Appends copies of the blocks of `from` to `to`, with shells of their operations.
    fn clone_blocks(
        &mut self,
        source: &Body,
        from: RegionId,
        to: RegionId,
        map: &mut IrMapping,
    ) -> Vec<(OpId, OpId)> {
        let mut children = Vec::new();
        for &block in &source[from].blocks {
            let copy = self.add_block(to, &[]);
            map.blocks.insert(block, copy);
            for &arg in &source[block].args {
                let data = &source[arg];
                let arg_copy = self.add_argument(copy, data.ty, data.loc);
                map.map(arg, arg_copy);
            }
            for op in source.ops(block) {
                let op_copy = self.clone_shell(source, op, map);
                self.append(copy, op_copy);
                children.push((op, op_copy));
            }
        }
        children
    }

    fn pair_regions(&mut self, source: &Body, op: OpId, copy: OpId) -> Vec<(RegionId, RegionId)> {
        let regions = source[op].inline_regions();
        regions
            .iter()
            .map(|&region| (region, self.add_region(copy)))
            .collect()
    }

    /// Makes a detached copy without inline regions; its operands are still the source's.
    fn clone_shell(&mut self, source: &Body, op: OpId, map: &mut IrMapping) -> OpId {
        let data = &source[op];
        let copy = self.create_op(OpState {
            name: data.name,
            loc: data.loc,
            properties: data.properties,
            attributes: data.attributes,
            operands: data.operands.clone(),
            results: data.results().map(|result| source.ty(result)).collect(),
            successors: data.successors().into(),
        });
        if let Some(own) = data.isolated() {
            self[copy].set_isolated(Box::new(own.clone()));
        }
        for (from, to) in data.results().zip(self[copy].results()) {
            map.map(from, to);
        }
        copy
    }
}
