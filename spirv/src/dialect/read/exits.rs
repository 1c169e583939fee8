//! Exits of constructs: values that are used behind a construct, and branches to blocks farther
//! out, beside control that merges.

use gridloom_ir::hash::{FxHashMap, FxHashSet};
use rspirv::spirv::{Op, Word};

use super::flow::Flow;
use super::id_at;

/// Exits of each construct of a function.
pub(super) struct Exits {
    /// Live-out ids of each construct: defined in it and used outside of it, not counting the phis
    /// of its merge block.
    pub(super) values: Vec<Vec<Word>>,
    /// Exit targets of each construct: blocks beside its merge block that it branches to. That is
    /// the merge block or continue target of a loop around a selection, or a merge block that is
    /// the continue target of one.
    pub(super) targets: Vec<Vec<usize>>,
}

impl Exits {
    /// Finds the exits of all constructs. An error is the reason why the function is not
    /// structured.
    pub(super) fn of(flow: &Flow<'_>) -> Result<Self, String> {
        let none = || vec![Vec::new(); flow.constructs.len()];
        let mut exits = Exits {
            values: none(),
            targets: vec![Vec::new(); flow.constructs.len()],
        };
        for (number, node) in flow.nodes.iter().enumerate() {
            if node.is_reachable {
                for &target in &node.succs {
                    exits.branch(flow, flow.terminator_construct(number), target)?;
                }
            }
        }
        for construct in &flow.constructs {
            if flow.nodes[construct.merge].is_reachable {
                exits.branch(flow, construct.parent, construct.merge)?;
            }
        }
        exits.find_values(flow);
        Ok(exits)
    }

    /// Notes a branch that starts in the region of `from`.
    fn branch(
        &mut self,
        flow: &Flow<'_>,
        from: Option<usize>,
        target: usize,
    ) -> Result<(), String> {
        let mut at = from;
        loop {
            if flow.target_construct(target) == at {
                return Ok(());
            }
            let Some(number) = at else {
                return Err(format!(
                    "the branch to %{} enters a selection or a loop other than by its header",
                    flow.nodes[target].label
                ));
            };
            let construct = &flow.constructs[number];
            if construct.merge == target || construct.is_loop() && construct.header == target {
                return Ok(());
            }
            if construct.is_loop() {
                return Err(format!(
                    "the branch to %{} leaves the loop that %{} heads other than by its merge block",
                    flow.nodes[target].label, flow.nodes[construct.header].label
                ));
            }
            if !self.targets[number].contains(&target) {
                self.targets[number].push(target);
            }
            at = construct.parent;
        }
    }

    /// Results of constructs that go round a loop, by its continue block. They get there as arguments of that block:
    /// MLIR 22 writes id 0 for a result in a phi that comes before it.
    pub(super) fn carried(&self, flow: &Flow<'_>) -> FxHashMap<usize, Vec<Word>> {
        let mut results: FxHashSet<Word> = self.values.iter().flatten().copied().collect();
        let phis_of = |node: usize| {
            let insts = flow.nodes[node].insts.iter();
            insts.filter(|inst| inst.class.opcode == Op::Phi)
        };
        for construct in &flow.constructs {
            results.extend(phis_of(construct.merge).filter_map(|phi| phi.result_id));
        }
        let mut nodes: FxHashMap<Word, usize> = FxHashMap::default();
        for (number, node) in flow.nodes.iter().enumerate() {
            let ids = node.insts.iter().filter_map(|inst| inst.result_id);
            nodes.extend(ids.map(|id| (id, number)));
        }
        let mut carried: FxHashMap<usize, Vec<Word>> = FxHashMap::default();
        for (number, construct) in flow.constructs.iter().enumerate() {
            let Some(target) = construct
                .continues
                .filter(|&target| target != construct.header)
            else {
                continue;
            };
            for phi in phis_of(construct.header) {
                for id in (0..phi.operands.len() / 2).filter_map(|pair| id_at(phi, 2 * pair)) {
                    let is_before = nodes.get(&id).is_some_and(|&node| {
                        node != construct.header
                            && node != target
                            && flow.is_within(flow.nodes[node].owner, number)
                            && flow.dominates(node, target)
                    });
                    let list = carried.entry(target).or_default();
                    if is_before && results.contains(&id) && !list.contains(&id) {
                        list.push(id);
                    }
                }
            }
        }
        carried
    }

    fn find_values(&mut self, flow: &Flow<'_>) {
        let mut defined: FxHashMap<Word, Option<usize>> = FxHashMap::default();
        for node in &flow.nodes {
            let ids = node.insts.iter().filter_map(|inst| inst.result_id);
            defined.extend(ids.map(|id| (id, node.owner)));
        }
        let mut seen = FxHashSet::default();
        let mut used = |id: Word, at: Option<usize>| {
            let mut around = defined.get(&id).copied().flatten();
            while let Some(number) = around.filter(|&number| !flow.is_within(at, number)) {
                if seen.insert((id, number)) {
                    self.values[number].push(id);
                }
                around = flow.constructs[number].parent;
            }
        };
        for (number, node) in flow.nodes.iter().enumerate() {
            for inst in node.insts {
                if inst.class.opcode == Op::Phi {
                    for pair in 0..inst.operands.len() / 2 {
                        let (value, from) = (id_at(inst, 2 * pair), id_at(inst, 2 * pair + 1));
                        let from = from.and_then(|from| flow.index.get(&from));
                        if let (Some(value), Some(&from)) = (value, from) {
                            used(value, flow.terminator_construct(from));
                        }
                    }
                    continue;
                }
                let at = match inst.class.opcode {
                    Op::BranchConditional | Op::Switch => flow.terminator_construct(number),
                    _ => node.owner,
                };
                for id in inst
                    .operands
                    .iter()
                    .filter_map(|operand| operand.id_ref_any())
                {
                    used(id, at);
                }
            }
        }
    }
}

impl Flow<'_> {
    /// Home construct of a block as a branch target: of a loop's header the construct around the
    /// loop, of any other block the one that it belongs to.
    pub(super) fn target_construct(&self, node: usize) -> Option<usize> {
        match self.loop_of(node) {
            Some(number) => self.constructs[number].parent,
            None => self.nodes[node].owner,
        }
    }
}
