//! Control flow graph of a region: its blocks, their edges with operands, and their entries.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::cf;
use gridloom_ir::{BlockId, Body, Context, OpId, RegionId, Value};

/// Edge: a successor with the operands passed to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub(super) to: BlockId,
    pub(super) operands: Vec<Value>,
}

/// Control-flow kind of a terminator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    Branch(Edge),
    /// Conditional branch: to the first edge where the condition holds, else to the second.
    Conditional(Value, [Edge; 2]),
    /// A terminator that leaves the region, or is not restructured.
    Other,
}

pub(super) struct Flow {
    pub(super) blocks: Vec<BlockId>,
    /// Number of edges into each block.
    entries: HashMap<BlockId, usize>,
}

impl Flow {
    pub(super) fn of(body: &Body, region: RegionId) -> Flow {
        let blocks = body[region].blocks.clone();
        let mut entries = HashMap::new();
        for &block in &blocks {
            for &to in successors(body, block) {
                *entries.entry(to).or_insert(0) += 1;
            }
        }
        Flow {
            blocks: blocks.to_vec(),
            entries,
        }
    }

    /// Whether a block has a single entry.
    pub(super) fn has_one_entry(&self, block: BlockId) -> bool {
        self.entries.get(&block) == Some(&1) && self.blocks.first() != Some(&block)
    }
}

pub(super) fn successors(body: &Body, block: BlockId) -> &[BlockId] {
    body[block].last().map_or(&[], |op| body[op].successors())
}

pub(super) fn end_of(ctx: &Context, body: &Body, block: BlockId) -> End {
    let Some(last) = body[block].last() else {
        return End::Other;
    };
    let data = &body[last];
    let edge = |index: usize, operands: &[Value]| Edge {
        to: data.successors()[index],
        operands: operands.to_vec(),
    };
    match (data.name, data.successors().len()) {
        (cf::BR, 1) => End::Branch(edge(0, &data.operands)),
        (cf::COND_BR, 2) => End::Conditional(
            data.operands[0],
            [
                edge(0, data.operand_segment(ctx, 1)),
                edge(1, data.operand_segment(ctx, 2)),
            ],
        ),
        _ => End::Other,
    }
}

/// Back edges: branches to a block on the path that leads to them; each closes a loop.
pub(super) fn back_edges(body: &Body, region: RegionId) -> Vec<OpId> {
    let Some(&entry) = body[region].blocks.first() else {
        return Vec::new();
    };
    let (mut seen, mut open) = (HashSet::from([entry]), HashSet::from([entry]));
    let mut found = Vec::new();
    let mut stack = vec![(entry, 0)];
    while let Some((block, next)) = stack.pop() {
        let Some(&to) = successors(body, block).get(next) else {
            open.remove(&block);
            continue;
        };
        stack.push((block, next + 1));
        if open.contains(&to) {
            found.extend(body[block].last());
        } else if seen.insert(to) {
            open.insert(to);
            stack.push((to, 0));
        }
    }
    found
}
