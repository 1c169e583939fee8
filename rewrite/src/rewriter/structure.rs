//! Structural rewrites: results, regions, blocks, block arguments.

use gridloom_dialects::inherent;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::{BlockId, OpId, OpState, RegionId, Type, Value};
use smallvec::SmallVec;

use super::Rewriter;

impl Rewriter<'_> {
    /// Replaces an operation by one with these operands and without the results
    /// for which `keep` is false, which must be unused; its regions move.
    pub fn rebuild(&mut self, op: OpId, operands: &[Value], keep: &[bool]) -> OpId {
        self.rebuild_with(op, operands, keep, &[])
    }

    /// As [`Rewriter::rebuild`], with results of these types appended.
    pub fn rebuild_with(
        &mut self,
        op: OpId,
        operands: &[Value],
        keep: &[bool],
        more: &[Type],
    ) -> OpId {
        let data = &self.body[op];
        let kept = data.results().zip(keep).filter(|&(_, &keep)| keep);
        let old: SmallVec<[Value; 2]> = kept.map(|(result, _)| result).collect();
        let types = old.iter().map(|&result| self.body.ty(result));
        let types: Vec<Type> = types.chain(more.iter().copied()).collect();
        let new = self.remake_as(op, operands, &types);
        let results: Vec<Value> = self.body[new].results().collect();
        for (old, new) in old.into_iter().zip(results) {
            self.replace(old, new);
        }
        self.erase(op);
        new
    }

    /// Creates a copy of an operation before it, with these operands and result
    /// types; its regions move to the copy. The original is to be erased or
    /// replaced.
    pub fn remake_as(&mut self, op: OpId, operands: &[Value], types: &[Type]) -> OpId {
        let data = &self.body[op];
        let state = OpState {
            name: data.name,
            loc: data.loc,
            properties: data.properties,
            attributes: data.attributes,
            operands: operands.into(),
            results: types.iter().copied().collect(),
            successors: data.successors().iter().copied().collect(),
        };
        let regions = data.inline_regions().to_vec();
        let new = self.create_before(op, state);
        for region in regions {
            let target = self.body.add_region(new);
            for (index, &block) in self.body[region].blocks.clone().iter().enumerate() {
                self.body.move_block(block, target, index);
            }
        }
        new
    }

    /// Drops the operands for which `keep` is false, by index.
    pub fn retain_operands(&mut self, op: OpId, keep: impl Fn(usize) -> bool) {
        let operands = self.body[op].operands.iter().enumerate();
        let kept: Vec<Value> = operands
            .filter(|&(i, _)| keep(i))
            .map(|(_, &v)| v)
            .collect();
        self.set_operands(op, &kept);
    }

    /// Drops the arguments of a block for which `keep` is false, by index; they
    /// must be unused.
    pub fn retain_arguments(&mut self, block: BlockId, keep: impl FnMut(usize) -> bool) {
        self.body.retain_arguments(block, keep);
        self.changed = true;
    }

    /// Swaps the two regions of an operation.
    pub fn swap_regions(&mut self, op: OpId) {
        if let [first, second] = self.body[op].inline_regions_mut() {
            std::mem::swap(first, second);
            self.changed = true;
            self.push(op);
        }
    }

    /// Erases blocks of one region with their operations. Only these blocks may
    /// use values that they define.
    pub fn erase_blocks(&mut self, blocks: &[BlockId]) {
        let Some(region) = blocks.first().and_then(|&block| self.body[block].parent()) else {
            return;
        };
        for &block in blocks {
            while let Some(last) = self.body[block].last() {
                self.erase(last);
            }
        }
        let gone: FxHashSet<BlockId> = blocks.iter().copied().collect();
        self.body
            .retain_blocks(region, |block| !gone.contains(&block));
        self.changed = true;
    }

    /// Drops the carried values of a loop for which `keep` is false: initial
    /// operand, block argument, yielded value and result. The operation is
    /// recreated; its body moves. `first_init` is the index of the first
    /// carried value among the operands.
    pub fn retain_carried(&mut self, op: OpId, block: BlockId, first_init: usize, keep: &[bool]) {
        let kept = |i: usize| keep.get(i).copied().unwrap_or(true);
        let operands = self.body[op].operands.iter().enumerate();
        let operands = operands.filter(|&(i, _)| i < first_init || kept(i - first_init));
        let operands: Vec<Value> = operands.map(|(_, &v)| v).collect();
        if let Some(last) = self.body[block].last() {
            self.retain_operands(last, kept);
        }
        // Argument 0 is the induction variable.
        self.retain_arguments(block, |i| i == 0 || kept(i - 1));
        let new = self.rebuild(op, &operands, keep);
        self.resize_carried(new);
    }

    /// Sets the size of the last group of operands of a loop, its initial values, to the number of
    /// results.
    pub fn resize_carried(&mut self, op: OpId) {
        if let Some(mut sizes) = self.body[op].get(self.ctx, inherent::OPERAND_SEGMENT_SIZES)
            && let Some(last) = sizes.last_mut()
        {
            *last = self.body[op].num_results() as i32;
            let sizes = self.ctx.i32_array_attr(&sizes);
            self.set_property(op, inherent::OPERAND_SEGMENT_SIZES, sizes);
        }
    }

    /// Adds an empty region to an operation.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        self.changed = true;
        self.body.add_region(op)
    }

    /// Appends a block to a region.
    pub fn add_block(&mut self, region: RegionId, args: &[Type]) -> BlockId {
        let block = self.body.add_block(region, args);
        self.make_room();
        self.changed = true;
        block
    }

    /// Creates an operation at the end of a block.
    pub fn create_at_end(&mut self, block: BlockId, state: OpState) -> OpId {
        let op = self.body.create_op(state);
        self.body.append(block, op);
        self.register(op);
        op
    }

    /// Appends an argument to a block, with the location of `like`.
    pub fn add_argument(&mut self, block: BlockId, ty: Type, like: OpId) -> Value {
        let loc = self.body[like].loc;
        let arg = self.body.add_argument(block, ty, loc);
        self.make_room();
        self.changed = true;
        arg
    }

    /// Moves a block to index `index` of a region.
    pub fn move_block(&mut self, block: BlockId, region: RegionId, index: usize) {
        self.body.move_block(block, region, index);
        self.changed = true;
    }
}
