//! The dominator tree of a region.
//!
//! Computes immediate dominators by the simple version of Lengauer and Tarjan
//! ("A Fast Algorithm for Finding Dominators in a Flowgraph", 1979): edges
//! times the logarithm of the blocks, whatever the shape. Iterative methods
//! that intersect paths in the tree take time quadratic in the blocks where
//! thousands branch to the same one.

use crate::body::{BlockId, Body};

/// The number of no block.
const NONE: u32 = u32::MAX;

/// A block's subtree in the dominator tree, as a range of preorder numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    first: u32,
    len: u32,
}

impl Place {
    /// The range of an only block.
    pub const ALONE: Place = Place { first: 0, len: 1 };

    /// Whether this block dominates the other (itself included).
    pub fn dominates(self, other: Place) -> bool {
        (self.first..self.first + self.len).contains(&other.first)
    }
}

/// The blocks reachable from `entry`, with their subtree ranges. `numbers` is
/// scratch space for block numbers; it is left empty or filled with [`NONE`],
/// as it was found.
pub(super) fn places(body: &Body, entry: BlockId, numbers: &mut Vec<u32>) -> Vec<(BlockId, Place)> {
    numbers.resize(body.block_capacity(), NONE);
    let search = Search::run(body, entry, numbers);
    let idom = search.immediate_dominators(body);
    let count = idom.len();
    let mut len = vec![1; count];
    // A block's dominator has a smaller number.
    for w in (1..count).rev() {
        len[idom[w] as usize] += len[w];
    }
    let mut first = vec![0; count];
    // The position that the next child of each block gets.
    let mut next = vec![1; count];
    for w in 1..count {
        let up = idom[w] as usize;
        first[w] = next[up];
        next[up] += len[w];
        next[w] = first[w] + 1;
    }
    let places = first.into_iter().zip(len);
    let places = places.map(|(first, len)| Place { first, len });
    for block in &search.blocks {
        search.number[block.index()] = NONE;
    }
    search.blocks.into_iter().zip(places).collect()
}

/// A depth-first search that numbers blocks in preorder.
struct Search<'n> {
    blocks: Vec<BlockId>,
    /// The parent of each block in the search tree; the entry is its own
    /// parent.
    parent: Vec<u32>,
    /// The preorder number of each block of the body.
    number: &'n mut [u32],
}

impl<'n> Search<'n> {
    fn run(body: &Body, entry: BlockId, number: &'n mut [u32]) -> Self {
        let mut search = Search {
            blocks: Vec::new(),
            parent: Vec::new(),
            number,
        };
        let mut stack = vec![(entry, 0)];
        while let Some((block, from)) = stack.pop() {
            if search.number[block.index()] != NONE {
                continue;
            }
            let number = search.blocks.len() as u32;
            search.number[block.index()] = number;
            search.blocks.push(block);
            search.parent.push(from);
            let ahead = successors(body, block).iter().rev();
            stack.extend(ahead.map(|&next| (next, number)));
        }
        search
    }

    /// The immediate dominator of each block but the entry, by preorder number.
    fn immediate_dominators(&self, body: &Body) -> Vec<u32> {
        let count = self.blocks.len();
        let predecessors = self.predecessors(body);
        let mut forest = Forest::new(count);
        let mut idom = vec![0; count];
        // Lists of blocks with the same semidominator, linked through `next`.
        let mut head = vec![NONE; count];
        let mut next = vec![NONE; count];
        for w in (1..count).rev() {
            for &v in predecessors.of(w) {
                let u = forest.eval(v);
                forest.semi[w] = forest.semi[w].min(forest.semi[u as usize]);
            }
            let semi = forest.semi[w] as usize;
            next[w] = std::mem::replace(&mut head[semi], w as u32);
            let parent = self.parent[w];
            forest.ancestor[w] = parent;
            let mut v = std::mem::replace(&mut head[parent as usize], NONE);
            while v != NONE {
                let u = forest.eval(v);
                let below = forest.semi[u as usize] < forest.semi[v as usize];
                idom[v as usize] = if below { u } else { parent };
                v = next[v as usize];
            }
        }
        for w in 1..count {
            if idom[w] != forest.semi[w] {
                idom[w] = idom[idom[w] as usize];
            }
        }
        idom
    }

    fn predecessors(&self, body: &Body) -> Predecessors {
        let edges = || {
            let from = (0..).zip(&self.blocks);
            from.flat_map(|(number, &block)| {
                let to = successors(body, block).iter();
                to.map(move |&next| (number, self.number[next.index()] as usize))
            })
        };
        let mut starts = vec![0; self.blocks.len() + 1];
        for (_, to) in edges() {
            starts[to + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut list = vec![0; starts[self.blocks.len()]];
        let mut free = starts.clone();
        for (from, to) in edges() {
            list[free[to]] = from;
            free[to] += 1;
        }
        Predecessors { starts, list }
    }
}

struct Predecessors {
    starts: Vec<usize>,
    list: Vec<u32>,
}

impl Predecessors {
    fn of(&self, block: usize) -> &[u32] {
        &self.list[self.starts[block]..self.starts[block + 1]]
    }
}

/// The forest of Lengauer and Tarjan: the processed part of the search tree,
/// with path compression.
struct Forest {
    /// The semidominators found so far.
    semi: Vec<u32>,
    /// The ancestor link, compressed; none for a root.
    ancestor: Vec<u32>,
    /// The block with the least semidominator on the compressed path.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(count: usize) -> Self {
        Forest {
            semi: (0..count as u32).collect(),
            ancestor: vec![NONE; count],
            label: (0..count as u32).collect(),
            path: Vec::new(),
        }
    }

    /// The block with the least semidominator on the path from `v` to its root,
    /// the root excluded.
    fn eval(&mut self, v: u32) -> u32 {
        let up = |forest: &Self, v: u32| forest.ancestor[v as usize];
        if up(self, v) == NONE {
            return v;
        }
        let mut at = v;
        while up(self, up(self, at)) != NONE {
            self.path.push(at);
            at = up(self, at);
        }
        while let Some(at) = self.path.pop() {
            let above = up(self, at) as usize;
            let (best, own) = (self.label[above], self.label[at as usize]);
            if self.semi[best as usize] < self.semi[own as usize] {
                self.label[at as usize] = best;
            }
            self.ancestor[at as usize] = self.ancestor[above];
        }
        self.label[v as usize]
    }
}

fn successors(body: &Body, block: BlockId) -> &[BlockId] {
    match body[block].last() {
        Some(last) => body[last].successors(),
        None => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::OpState;
    use crate::context::{OpName, Traits};
    use crate::location::Loc;

    /// A body of blocks with these successors.
    fn body_of(successors: &[Vec<usize>]) -> (Body, Vec<BlockId>) {
        // Dominance asks for successors alone, of whatever operation.
        let name = OpName::of_row(1, Traits::TERMINATOR.in_row());
        let mut body = Body::new();
        let region = body.add_top_region();
        let blocks: Vec<BlockId> = successors
            .iter()
            .map(|_| body.add_block(region, &[]))
            .collect();
        for (&block, next) in blocks.iter().zip(successors) {
            let mut branch = OpState::new(name, Loc::UNKNOWN);
            branch.successors = next.iter().map(|&n| blocks[n]).collect();
            let branch = body.create_op(branch);
            body.append(block, branch);
        }
        (body, blocks)
    }

    /// The blocks that the entry leads to when block `without` is closed.
    fn led_to(successors: &[Vec<usize>], without: usize) -> Vec<bool> {
        let mut met = vec![false; successors.len()];
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            if block != without && !std::mem::replace(&mut met[block], true) {
                stack.extend(&successors[block]);
            }
        }
        met
    }

    #[test]
    fn a_block_dominates_what_is_cut_off_without_it() {
        let mut state = 1u64;
        let mut below = |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % bound
        };
        for _ in 0..300 {
            let count = 2 + below(12);
            let successors: Vec<Vec<usize>> = (0..count)
                .map(|_| (0..below(4)).map(|_| below(count)).collect())
                .collect();
            let (body, blocks) = body_of(&successors);
            let reachable = led_to(&successors, count);
            let mut place = vec![None; count];
            for (block, at) in places(&body, blocks[0], &mut Vec::new()) {
                place[block.index()] = Some(at);
            }
            for a in 0..count {
                assert_eq!(place[a].is_some(), reachable[a]);
                let around = led_to(&successors, a);
                for b in 0..count {
                    if let (Some(first), Some(second)) = (place[a], place[b]) {
                        let dominates = !around[b];
                        assert_eq!(
                            first.dominates(second),
                            dominates,
                            "{successors:?}: {a}, {b}"
                        );
                    }
                }
            }
        }
    }
}
