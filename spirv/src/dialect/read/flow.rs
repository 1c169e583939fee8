//! Control flow of a function: dominators, and the constructs that merge instructions declare.
//!
//! A construct is headed by a block with a merge instruction. A block belongs to the innermost construct whose header
//! dominates it, unless it is, or is dominated by, the construct's merge block; a loop's header belongs to its loop, a
//! selection's to what is around it. The continue target of a loop belongs to the loop, however deep in it the only way
//! to it begins.

use gridloom_ir::hash::FxHashMap;
use rspirv::dr;
use rspirv::spirv::{Op, Word};

use super::id_at;

/// A block of a function.
pub(super) struct Node<'a> {
    pub(super) label: Word,
    pub(super) insts: &'a [dr::Instruction],
    pub(super) succs: Vec<usize>,
    pub(super) preds: Vec<usize>,
    /// The construct that this block heads.
    pub(super) heads: Option<usize>,
    /// The innermost construct around this block.
    pub(super) owner: Option<usize>,
    /// The immediate dominator; `None` of the entry and of blocks that nothing leads to.
    idom: Option<usize>,
    /// Depth in the tree of dominators.
    level: u32,
    pub(super) is_reachable: bool,
}

/// A selection or a loop.
pub(super) struct Construct {
    pub(super) header: usize,
    pub(super) merge: usize,
    /// The continue target of a loop.
    pub(super) continues: Option<usize>,
    /// Control operand of the merge instruction: a hint to the driver on unrolling or flattening.
    pub(super) control: Word,
    pub(super) parent: Option<usize>,
    pub(super) depth: u32,
}

impl Construct {
    pub(super) fn is_loop(&self) -> bool {
        self.continues.is_some()
    }
}

/// The control flow of a function.
pub(super) struct Flow<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) constructs: Vec<Construct>,
    pub(super) index: FxHashMap<Word, usize>,
}

impl<'a> Flow<'a> {
    /// The control flow of blocks; an error is the reason why there is none.
    pub(super) fn of(blocks: &'a [dr::Block]) -> Result<Self, String> {
        let mut flow = Flow {
            nodes: Vec::with_capacity(blocks.len()),
            constructs: Vec::new(),
            index: FxHashMap::default(),
        };
        for block in blocks {
            let label = block.label.as_ref().and_then(|label| label.result_id);
            let label = label.ok_or("a block has no label")?;
            flow.index.insert(label, flow.nodes.len());
            flow.nodes.push(Node {
                label,
                insts: &block.instructions,
                succs: Vec::new(),
                preds: Vec::new(),
                heads: None,
                owner: None,
                idom: None,
                level: 0,
                is_reachable: false,
            });
        }
        flow.link()?;
        flow.dominate();
        flow.nest()?;
        Ok(flow)
    }

    /// Edges and merge instructions.
    fn link(&mut self) -> Result<(), String> {
        let at = |index: &FxHashMap<Word, usize>, id: Option<Word>| {
            let found = id.and_then(|id| index.get(&id).copied());
            found.ok_or_else(|| format!("%{} is no block of its function", id.unwrap_or(0)))
        };
        for from in 0..self.nodes.len() {
            let insts = self.nodes[from].insts;
            let Some((last, before)) = insts.split_last() else {
                continue;
            };
            let targets: Vec<Word> = match last.class.opcode {
                Op::Branch => id_at(last, 0).into_iter().collect(),
                Op::BranchConditional => {
                    [1, 2].into_iter().filter_map(|i| id_at(last, i)).collect()
                }
                Op::Switch => {
                    let ids = last
                        .operands
                        .iter()
                        .filter_map(|operand| operand.id_ref_any());
                    ids.skip(1).collect()
                }
                _ => Vec::new(),
            };
            for target in targets {
                let to = at(&self.index, Some(target))?;
                if !self.nodes[from].succs.contains(&to) {
                    self.nodes[from].succs.push(to);
                    self.nodes[to].preds.push(from);
                }
            }
            let Some(inst) = before.last() else { continue };
            let continues = match inst.class.opcode {
                Op::LoopMerge => Some(at(&self.index, id_at(inst, 1))?),
                Op::SelectionMerge => None,
                _ => continue,
            };
            let control = inst.operands.get(1 + usize::from(continues.is_some()));
            self.nodes[from].heads = Some(self.constructs.len());
            self.constructs.push(Construct {
                header: from,
                merge: at(&self.index, id_at(inst, 0))?,
                continues,
                control: control.map_or(0, super::literal),
                parent: None,
                depth: 0,
            });
        }
        Ok(())
    }

    /// Immediate dominators, by the iterative algorithm of Cooper, Harvey and Kennedy (2001).
    fn dominate(&mut self) {
        let order = self.reverse_postorder();
        let mut position = vec![usize::MAX; self.nodes.len()];
        for (at, &node) in order.iter().enumerate() {
            position[node] = at;
            self.nodes[node].is_reachable = true;
        }
        let mut idom: Vec<Option<usize>> = vec![None; self.nodes.len()];
        if let Some(&entry) = order.first() {
            idom[entry] = Some(entry);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().skip(1) {
                let mut best: Option<usize> = None;
                for &pred in &self.nodes[node].preds {
                    if idom[pred].is_none() {
                        continue;
                    }
                    best = Some(match best {
                        None => pred,
                        Some(other) => meet(&idom, &position, pred, other),
                    });
                }
                if best.is_some() && idom[node] != best {
                    (idom[node], changed) = (best, true);
                }
            }
        }
        for &node in order.iter().skip(1) {
            let parent = idom[node];
            self.nodes[node].idom = parent;
            self.nodes[node].level = parent.map_or(0, |parent| self.nodes[parent].level + 1);
        }
    }

    fn reverse_postorder(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut seen = vec![false; self.nodes.len()];
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if !self.nodes.is_empty() {
            seen[0] = true;
            stack.push((0, 0));
        }
        while let Some((node, next)) = stack.last_mut() {
            match self.nodes[*node].succs.get(*next) {
                Some(&succ) => {
                    *next += 1;
                    if !seen[succ] {
                        seen[succ] = true;
                        stack.push((succ, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Whether every path to `node` goes through `other`.
    pub(super) fn dominates(&self, other: usize, node: usize) -> bool {
        let mut at = node;
        while self.nodes[at].level > self.nodes[other].level {
            match self.nodes[at].idom {
                Some(idom) => at = idom,
                None => return false,
            }
        }
        at == other
    }

    /// Assigns each block to the construct it belongs to.
    fn nest(&mut self) -> Result<(), String> {
        let mut by_level: Vec<usize> = (0..self.nodes.len()).collect();
        by_level.sort_by_key(|&node| self.nodes[node].level);
        for node in by_level {
            if !self.nodes[node].is_reachable {
                continue;
            }
            let above = self.nodes[node].idom;
            let mut owner =
                above.and_then(|above| self.nodes[above].heads.or(self.nodes[above].owner));
            let mut at = owner;
            while let Some(construct) = at {
                let found = &self.constructs[construct];
                at = found.parent;
                if found.merge == node {
                    owner = found.parent;
                } else if found.continues == Some(node) {
                    owner = Some(construct);
                    break;
                }
            }
            self.nodes[node].owner = owner;
            let Some(heads) = self.nodes[node].heads else {
                continue;
            };
            let depth = owner.map_or(0, |owner| self.constructs[owner].depth + 1);
            if depth > super::super::MAX_DEPTH {
                return Err(format!(
                    "selections and loops are nested deeper than {}",
                    super::super::MAX_DEPTH
                ));
            }
            let construct = &mut self.constructs[heads];
            (construct.parent, construct.depth) = (owner, depth);
            if construct.is_loop() {
                self.nodes[node].owner = Some(heads);
            }
        }
        // The continue target of a loop that never goes round belongs to the loop although no path
        // leads to it.
        for number in 0..self.constructs.len() {
            let Construct {
                header, continues, ..
            } = self.constructs[number];
            if let Some(target) = continues
                && self.nodes[header].is_reachable
                && !self.nodes[target].is_reachable
            {
                self.nodes[target].owner = Some(number);
            }
        }
        Ok(())
    }

    /// Construct that contains a block's terminator: of a header the construct that it heads.
    pub(super) fn terminator_construct(&self, node: usize) -> Option<usize> {
        self.nodes[node].heads.or(self.nodes[node].owner)
    }

    /// Whether a construct is `outer` or lies in it; `None` is the function.
    pub(super) fn is_within(&self, construct: Option<usize>, outer: usize) -> bool {
        let mut at = construct;
        while let Some(inner) = at {
            if inner == outer {
                return true;
            }
            at = self.constructs[inner].parent;
        }
        false
    }

    /// Whether a block heads a loop.
    pub(super) fn loop_of(&self, node: usize) -> Option<usize> {
        let heads = self.nodes[node].heads?;
        self.constructs[heads].is_loop().then_some(heads)
    }

    /// Whether a block is the continue target of the loop that it belongs to.
    pub(super) fn is_continue(&self, node: usize) -> bool {
        let owner = self.nodes[node].owner;
        owner.is_some_and(|owner| self.constructs[owner].continues == Some(node))
    }
}

/// The nearest block that dominates both.
fn meet(idom: &[Option<usize>], position: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        if position[a] > position[b] {
            a = idom[a].unwrap_or(b);
        } else {
            b = idom[b].unwrap_or(a);
        }
    }
    a
}
