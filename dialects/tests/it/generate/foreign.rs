//! Random operations of unknown dialects, without rows.

use super::Generator;
use gridloom_ir::body::{BlockId, Body, OpId, OpState, RegionId, Value};

/// The bound on nested regions.
const MAX_DEPTH: u32 = 3;

impl Generator<'_> {
    /// Appends operations to the only block of a graph region, where uses may
    /// precede definitions.
    pub(super) fn graph_block(
        &mut self,
        body: &mut Body,
        block: BlockId,
        outer: &[Value],
        depth: u32,
    ) {
        let count = 1 + self.below(6);
        let mut visible = outer.to_vec();
        let mut made = Vec::new();
        for _ in 0..count {
            let op = self.operation(body, block, &visible, depth);
            visible.extend(body[op].results());
            made.push(op);
        }
        let own: Vec<Value> = made.iter().flat_map(|&op| body[op].results()).collect();
        for op in made {
            if !own.is_empty() && self.one_in(3) {
                let late = own[self.below(own.len())];
                body[op].operands.push(late);
            }
        }
    }

    pub(super) fn operation(
        &mut self,
        body: &mut Body,
        block: BlockId,
        visible: &[Value],
        depth: u32,
    ) -> OpId {
        self.left = self.left.saturating_sub(1);
        let names = ["t.plain", "t.\"odd", "other.op", "nodialect", "t.a.b"];
        let name = self.pick(&names);
        let mut state = OpState::new(self.ctx.op_name(name), self.location(2));
        for _ in 0..self.below(4) {
            if !visible.is_empty() {
                state.operands.push(visible[self.below(visible.len())]);
            }
        }
        for _ in 0..self.below(4) {
            state.results.push(self.ty(3));
        }
        state.attributes = self.dict(3);
        if self.one_in(3) {
            state.properties = self.dict(3);
        }
        let op = body.create_op(state);
        body.append(block, op);
        if depth < MAX_DEPTH && self.one_in(4) {
            for _ in 0..1 + self.below(2) {
                let region = body.add_region(op);
                self.region(body, region, visible, depth + 1);
            }
        }
        op
    }

    fn region(&mut self, body: &mut Body, region: RegionId, outer: &[Value], depth: u32) {
        match self.below(4) {
            0 => {}
            1 | 2 => {
                let block = self.block(body, region);
                let mut visible = outer.to_vec();
                visible.extend_from_slice(&body[block].args);
                self.graph_block(body, block, &visible, depth);
            }
            _ => self.blocks(body, region, outer, depth),
        }
    }

    fn block(&mut self, body: &mut Body, region: RegionId) -> BlockId {
        let block = body.add_block(region, &[]);
        for _ in 0..self.below(3) {
            let (ty, loc) = (self.ty(2), self.location(1));
            body.add_argument(block, ty, loc);
        }
        block
    }

    /// Fills a region with several blocks; each sees its own values and those
    /// outside the region.
    fn blocks(&mut self, body: &mut Body, region: RegionId, outer: &[Value], depth: u32) {
        let count = 2 + self.below(3);
        let blocks: Vec<BlockId> = (0..count).map(|_| self.block(body, region)).collect();
        for &block in &blocks {
            let mut visible = outer.to_vec();
            visible.extend_from_slice(&body[block].args);
            for _ in 0..self.below(3) {
                let op = self.operation(body, block, &visible, depth);
                visible.extend(body[op].results());
            }
            let mut end = OpState::new(self.ctx.op_name("t.end"), self.location(1));
            for _ in 0..self.below(3) {
                // The entry block must have no predecessors.
                end.successors.push(blocks[1 + self.below(count - 1)]);
            }
            let op = body.create_op(end);
            body.append(block, op);
        }
    }
}
