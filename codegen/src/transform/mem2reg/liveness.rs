//! Liveness of slots: which operations read and store slots, and which slots are read later.

use std::collections::BTreeSet;

use gridloom_dialects::{affine, memref, scf};
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::{BlockId, Body, OpId};

use super::slots::Slots;

/// Set of slots, by number.
pub(super) type SlotSet = BTreeSet<usize>;

/// Effects of an operation, or a block, on slots from outside of it.
#[derive(Default)]
pub(super) struct Touched {
    /// Slots that may be read before they are stored.
    pub(super) exposed: SlotSet,
    /// Slots that may be stored.
    pub(super) written: SlotSet,
    /// Slots that are stored on every path.
    definite: SlotSet,
}

impl Touched {
    /// Sequential composition: adds the effects of code that runs afterwards.
    fn then(&mut self, next: &Touched) {
        self.exposed.extend(next.exposed.difference(&self.definite));
        self.written.extend(&next.written);
        self.definite.extend(&next.definite);
    }

    /// Alternative composition: adds the effects of another branch.
    fn or(&mut self, other: &Touched) {
        self.exposed.extend(&other.exposed);
        self.written.extend(&other.written);
        self.definite = &self.definite & &other.definite;
    }
}

/// Liveness analysis: the slot effects of all operations with regions.
pub(super) struct Liveness<'a> {
    slots: &'a Slots,
    touched: FxHashMap<OpId, Touched>,
}

impl<'a> Liveness<'a> {
    /// Analyses the operations of a body.
    pub(super) fn of(body: &Body, slots: &'a Slots) -> Self {
        let mut collector = EffectCollector {
            body,
            slots,
            around: FxHashSet::default(),
            ending: FxHashMap::default(),
            touched: FxHashMap::default(),
        };
        for op in slots.accessing_ops() {
            collector.around.insert(op);
            for around in body.ancestors(op) {
                if !collector.around.insert(around) {
                    break;
                }
            }
        }
        for slot in 0..slots.len() {
            if let Some(block) = body[slots.allocation(slot)].parent() {
                collector.ending.entry(block).or_default().push(slot);
            }
        }
        for block in body.top_blocks() {
            collector.block(block);
        }
        Liveness {
            slots,
            touched: collector.touched,
        }
    }

    /// Whether the regions of an operation access a slot.
    pub(super) fn is_concerned(&self, op: OpId) -> bool {
        self.touched.contains_key(&op)
    }

    /// The effects of an operation's regions on slots from outside.
    pub(super) fn touched(&self, op: OpId) -> &Touched {
        &self.touched[&op]
    }

    /// Live-out sets of a block's operations that store slots in their regions: those of the stored
    /// slots that are read afterwards. `live` are the slots read after the block.
    pub(super) fn after_ops(
        &self,
        body: &Body,
        block: BlockId,
        live: &SlotSet,
    ) -> FxHashMap<OpId, SlotSet> {
        let mut live = live.clone();
        let mut after = FxHashMap::default();
        let ops: Vec<OpId> = body.ops(block).collect();
        for op in ops.into_iter().rev() {
            if let Some((slot, is_store)) = self.slots.access(op) {
                match is_store {
                    true => live.remove(&slot),
                    false => live.insert(slot),
                };
            } else if let Some(touched) = self.touched.get(&op) {
                after.insert(op, &touched.written & &live);
                live.retain(|slot| !touched.definite.contains(slot));
                live.extend(&touched.exposed);
            }
        }
        after
    }
}

/// Effect collector, inner operations first.
struct EffectCollector<'a> {
    body: &'a Body,
    slots: &'a Slots,
    /// Slot accesses, and the operations around them.
    around: FxHashSet<OpId>,
    /// Slots allocated in a block, whose lifetime ends with it.
    ending: FxHashMap<BlockId, Vec<usize>>,
    touched: FxHashMap<OpId, Touched>,
}

impl EffectCollector<'_> {
    fn block(&mut self, block: BlockId) -> Touched {
        let mut all = Touched::default();
        let ops = self.body.ops(block).filter(|op| self.around.contains(op));
        for op in ops.collect::<Vec<_>>() {
            match self.slots.access(op) {
                Some((slot, true)) => {
                    all.written.insert(slot);
                    all.definite.insert(slot);
                }
                Some((slot, false)) => {
                    if !all.definite.contains(&slot) {
                        all.exposed.insert(slot);
                    }
                }
                None => {
                    let touched = self.op(op);
                    all.then(&touched);
                    self.touched.insert(op, touched);
                }
            }
        }
        for slot in self.ending.get(&block).into_iter().flatten() {
            for set in [&mut all.exposed, &mut all.written, &mut all.definite] {
                set.remove(slot);
            }
        }
        all
    }

    fn op(&mut self, op: OpId) -> Touched {
        let regions = self.body[op].inline_regions().to_vec();
        let mut parts = Vec::new();
        for region in regions {
            let mut part = Touched::default();
            for &block in &self.body[region].blocks {
                part.then(&self.block(block));
            }
            parts.push(part);
        }
        let mut parts = parts.into_iter();
        let mut all = parts.next().unwrap_or_default();
        match self.body[op].name {
            // The test runs at least once. A slot that the test stores and the body reads has to be
            // carried: the body sees no other values of the test.
            scf::WHILE => {
                for part in parts {
                    all.exposed.extend(part.exposed);
                    all.written.extend(part.written);
                }
            }
            scf::IF | affine::IF | scf::INDEX_SWITCH => parts.for_each(|part| all.or(&part)),
            memref::ALLOCA_SCOPE | scf::EXECUTE_REGION => {}
            _ => {
                parts.for_each(|part| all.then(&part));
                all.definite.clear();
            }
        }
        all
    }
}
