//! Traversals of the operations of a body.

use smallvec::SmallVec;

use super::{Body, OpData, OpId, RegionId};
use crate::context::OpName;

/// Operations that the walk of a nest has room for at first: most have fewer.
const NEST: usize = 64;

impl Body {
    /// Prefetches a body that has left the cache. A walk follows links, so it
    /// waits for one cache miss after the other; read in arena order, many are
    /// in flight. The strides touch every cache line.
    pub(crate) fn prefetch(&self) {
        let mut sum = 0;
        for op in &self.ops {
            sum ^= op.num_results() ^ op.operands.len();
        }
        for value in self.values.iter().step_by(3) {
            sum ^= value.ty.0 as usize;
        }
        for block in self.blocks.iter().step_by(2) {
            sum ^= usize::from(block.first.is_some());
        }
        for region in self.regions.iter().step_by(2) {
            sum ^= usize::from(region.parent.is_some());
        }
        std::hint::black_box(sum);
    }

    /// Returns every operation of this body in arena order, detached ones included.
    pub fn arena(&self) -> impl Iterator<Item = &OpData> {
        self.ops.iter()
    }

    /// Whether some region has several blocks; a detached one may count as well.
    pub fn has_branching_region(&self) -> bool {
        self.regions.iter().any(|region| region.blocks.len() > 1)
    }

    /// Whether some operation has this name; a detached one may count as well.
    pub fn may_hold(&self, name: OpName) -> bool {
        self.may_hold_any(|other| other == name)
    }

    /// Whether some operation has such a name; a detached one may count as well. In the order of the
    /// arena, this takes a fraction of a [walk](Body::walk).
    pub fn may_hold_any(&self, is_meant: impl Fn(OpName) -> bool) -> bool {
        self.ops.iter().any(|op| is_meant(op.name))
    }

    /// Returns every operation of this body in pre-order (an operation before its regions); does
    /// not enter isolated bodies.
    pub fn walk(&self) -> Vec<OpId> {
        let mut order = Vec::with_capacity(self.ops.len());
        for &region in self.top.iter() {
            self.walk_region(region, &mut order);
        }
        order
    }

    /// Returns every operation with such a name, in pre-order. Where there is none, this takes a fraction
    /// of a [walk](Body::walk).
    pub fn walk_named(&self, is_meant: impl Fn(OpName) -> bool) -> Vec<OpId> {
        if !self.may_hold_any(&is_meant) {
            return Vec::new();
        }
        let mut found = self.walk();
        found.retain(|&op| is_meant(self[op].name));
        found
    }

    /// Returns `root` and the operations nested in it, in pre-order.
    pub fn walk_op(&self, root: OpId) -> Vec<OpId> {
        let regions = self[root].inline_regions();
        if regions.is_empty() {
            return vec![root];
        }
        let mut order = Vec::with_capacity(NEST);
        order.push(root);
        for &region in regions {
            self.walk_region(region, &mut order);
        }
        order
    }

    /// Returns the operations of `region` and those nested in them, in pre-order.
    pub fn walk_in(&self, region: RegionId) -> Vec<OpId> {
        let mut order = Vec::new();
        self.walk_region(region, &mut order);
        order
    }

    /// Returns the operations that may use the results of `op`, with those nested in them: the ones
    /// after it in its block and all of the other blocks of its region.
    pub fn walk_scope(&self, op: OpId) -> Vec<OpId> {
        let mut order = Vec::new();
        let after = std::iter::successors(self[op].next, |&next| self[next].next);
        for next in after {
            order.extend(self.walk_op(next));
        }
        let Some(block) = self[op].parent else {
            return order;
        };
        let siblings = self[block].parent.map(|region| &self[region].blocks);
        for &sibling in siblings.into_iter().flatten() {
            if sibling != block {
                order.extend(self.ops(sibling).flat_map(|next| self.walk_op(next)));
            }
        }
        order
    }

    /// Walks with an explicit stack, since the input decides how deep regions nest. The stack
    /// holds, for each block entered, the operation to continue with.
    fn walk_region(&self, region: RegionId, order: &mut Vec<OpId>) {
        let blocks = |region: RegionId| self[region].blocks.iter().rev();
        let mut stack: SmallVec<[OpId; 16]> = SmallVec::new();
        stack.extend(blocks(region).filter_map(|&block| self[block].first));
        while let Some(op) = stack.pop() {
            let mut at = Some(op);
            while let Some(op) = at {
                order.push(op);
                let data = &self[op];
                at = data.next;
                let regions = data.inline_regions();
                if !regions.is_empty() {
                    stack.extend(at.take());
                    let below = regions.iter().rev().flat_map(|&region| blocks(region));
                    stack.extend(below.filter_map(|&block| self[block].first));
                }
            }
        }
    }
}
