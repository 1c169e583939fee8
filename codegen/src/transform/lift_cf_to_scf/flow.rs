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

/// Erases the blocks that no path from the entry leads to. Returns whether there was one.
pub(super) fn erase_unreachable(body: &mut Body, region: RegionId) -> bool {
    let mut open: Vec<BlockId> = body[region].blocks.iter().take(1).copied().collect();
    let mut reached = HashSet::new();
    while let Some(block) = open.pop() {
        if reached.insert(block) {
            open.extend(successors(body, block));
        }
    }
    let is_less = reached.len() < body[region].blocks.len();
    if is_less {
        body.retain_blocks(region, |block| reached.contains(&block));
    }
    is_less
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

/// The natural loop of `head`: the blocks that lead to a back edge into it; `None` where none is.
pub(super) fn natural_loop(
    body: &Body,
    all: &[BlockId],
    dominators: &Dominators,
    head: BlockId,
) -> Option<HashSet<BlockId>> {
    let leads_to = |block: BlockId, to: BlockId| successors(body, block).contains(&to);
    let mut open: Vec<BlockId> = (all.iter().copied())
        .filter(|&block| leads_to(block, head) && dominators.dominates(head, block))
        .collect();
    if open.is_empty() {
        return None;
    }
    let mut blocks = HashSet::from([head]);
    while let Some(block) = open.pop() {
        if blocks.insert(block) {
            open.extend(all.iter().copied().filter(|&from| leads_to(from, block)));
        }
    }
    Some(blocks)
}

/// Dominators of each block: the blocks on every path to it.
pub(super) struct Dominators(HashMap<BlockId, HashSet<BlockId>>);

impl Dominators {
    /// Computes dominators by iteration: the intersection of those of all predecessors, and the
    /// block itself.
    pub(super) fn of(body: &Body, blocks: &[BlockId]) -> Dominators {
        let all: HashSet<BlockId> = blocks.iter().copied().collect();
        let mut sets: HashMap<BlockId, HashSet<BlockId>> =
            blocks.iter().map(|&block| (block, all.clone())).collect();
        let Some(&entry) = blocks.first() else {
            return Dominators(sets);
        };
        sets.insert(entry, HashSet::from([entry]));
        let mut before: HashMap<BlockId, Vec<BlockId>> = HashMap::new();
        for &block in blocks {
            for &to in successors(body, block) {
                before.entry(to).or_default().push(block);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in blocks.iter().skip(1) {
                let from = before.get(block).map_or(&[][..], |from| from);
                let mut common = from.iter().filter_map(|from| sets.get(from)).cloned();
                let Some(first) = common.next() else {
                    continue;
                };
                let mut common = common.fold(first, |all, set| &all & &set);
                common.insert(*block);
                if sets[block] != common {
                    sets.insert(*block, common);
                    changed = true;
                }
            }
        }
        Dominators(sets)
    }

    pub(super) fn dominates(&self, block: BlockId, other: BlockId) -> bool {
        self.0.get(&other).is_some_and(|set| set.contains(&block))
    }
}
