//! Split-phase plan: which transfers load at the start and store at the wait, and where.
//!
//! A transfer that is split keeps its elements in registers of the threads from its start on. Each
//! has a slot, which later starts use again; the elements of a slot are stored, in program order,
//!
//! - before a wait that may end the transfer,
//! - before the next start of the slot,
//! - before a conditional or another region with a start of the slot or with such a wait, and at
//!   the end of regions that pass nothing on.
//!
//! Each of these places lies between the start and its wait, where a program does not touch the
//! destination. A loop carries the elements from one iteration to the next.

use std::collections::BTreeMap;

use gridloom_dialects::{affine, scf};
use gridloom_ir::{BlockId, Body, OpId, Type, Value};

use super::Transfers;
use super::tags::Matches;
use crate::analysis::loop_kind::is_counted_loop;

/// Limit of the elements that a thread keeps of all transfers.
pub(super) const MAX_KEPT: i64 = 64;

/// Rounds after which the states at the head of a loop count as unknown.
const MAX_ROUNDS: usize = 8;

/// Distribution of a split start's elements among the threads of the workgroup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Share {
    /// Threads of the workgroup.
    pub(super) threads: i64,
    /// Adjacent elements that a thread moves in one access.
    pub(super) width: i64,
    /// Accesses of a thread.
    pub(super) accesses: i64,
    /// The count, if it is constant.
    pub(super) count: Option<i64>,
}

/// Registers that hold the elements of transfers which are never in them at once.
pub(super) struct Slot {
    /// The buffer in workgroup memory.
    pub(super) target: Value,
    pub(super) element: Type,
    /// Numbers of the starts.
    pub(super) starts: Vec<usize>,
    pub(super) share: Share,
}

/// Place at which the elements of a slot are stored.
#[derive(Clone, Debug)]
pub(super) struct Flush {
    pub(super) before: OpId,
    pub(super) slot: usize,
    /// Whether the slot holds a transfer on every path to the place.
    pub(super) sure: bool,
}

/// A start that may be split.
pub(super) struct Candidate {
    pub(super) start: usize,
    pub(super) target: Value,
    pub(super) element: Type,
    pub(super) share: Share,
}

/// The split transfers of a kernel.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) slots: Vec<Slot>,
    pub(super) flushes: Vec<Flush>,
    /// Candidates that are not split.
    pub(super) refused: Vec<(usize, Refusal)>,
    /// For each start, the adjacent elements that a thread moves in one access; none where that is
    /// one element for all.
    pub(super) widths: Vec<i64>,
}

/// Reason not to split a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// The start's elements would be stored before any wait or further start.
    Apart,
    /// A thread would keep more than [`MAX_KEPT`] elements of all slots.
    Crowded,
}

impl Plan {
    /// Plans the transfers of candidates, without those that would be stored as soon as a region
    /// begins or ends, or that would need too many registers.
    pub(super) fn of(
        body: &Body,
        transfers: &Transfers,
        matches: &Matches,
        mut candidates: Vec<Candidate>,
    ) -> Plan {
        let mut refused: Vec<(usize, Refusal)> = Vec::new();
        loop {
            let slots = assign(body, transfers, &candidates);
            let mut kept = 0_i64;
            let crowded = slots.iter().flat_map(|slot| {
                kept = kept.saturating_add(slot.share.accesses * slot.share.width);
                let starts = slot.starts.iter().copied();
                starts.filter(move |_| kept > MAX_KEPT)
            });
            let mut dropped: Vec<_> = crowded.map(|start| (start, Refusal::Crowded)).collect();
            let mut flushes = Vec::new();
            // Without a slot there is nothing to find; a walk takes twice as long for each loop around.
            if dropped.is_empty() && !slots.is_empty() {
                let mut walk = Walk {
                    body,
                    transfers,
                    matches,
                    slots: &slots,
                    held: vec![false; transfers.starts.len()],
                    flushes: Some(Vec::new()),
                };
                let mut state = vec![Held::default(); slots.len()];
                for block in body.top_blocks() {
                    walk.block(block, &mut state);
                }
                let starts = candidates.iter().map(|candidate| candidate.start);
                let apart = starts.filter(|&start| !walk.held[start]);
                dropped.extend(apart.map(|start| (start, Refusal::Apart)));
                flushes = walk.flushes.unwrap_or_default();
            }
            if dropped.is_empty() {
                return Plan {
                    slots,
                    flushes,
                    refused,
                    widths: Vec::new(),
                };
            }
            candidates.retain(|candidate| dropped.iter().all(|drop| drop.0 != candidate.start));
            refused.extend(dropped);
        }
    }

    /// The adjacent elements that a thread moves in one access.
    pub(super) fn width_of(&self, start: usize) -> i64 {
        self.widths.get(start).copied().unwrap_or(1)
    }

    /// The slot of a start; `None` where its elements move at once.
    pub(super) fn slot_of(&self, start: usize) -> Option<usize> {
        (self.slots.iter()).position(|slot| slot.starts.contains(&start))
    }
}

/// Assigns slots: starts of one block to the same buffer get different ones, by their order.
fn assign(body: &Body, transfers: &Transfers, candidates: &[Candidate]) -> Vec<Slot> {
    let mut slots: Vec<Slot> = Vec::new();
    for candidate in candidates {
        let block = |start: usize| body[transfers.starts[start].op].parent();
        let fits = |slot: &&mut Slot| {
            let shape = |share: Share| (share.threads, share.width);
            slot.target == candidate.target
                && slot.element == candidate.element
                && shape(slot.share) == shape(candidate.share)
                && (slot.starts.iter()).all(|&start| block(start) != block(candidate.start))
        };
        match slots.iter_mut().find(fits) {
            Some(slot) => {
                slot.starts.push(candidate.start);
                let (mine, theirs) = (&mut slot.share, candidate.share);
                mine.accesses = mine.accesses.max(theirs.accesses);
                mine.count = mine.count.filter(|&count| theirs.count == Some(count));
            }
            None => slots.push(Slot {
                target: candidate.target,
                element: candidate.element,
                starts: vec![candidate.start],
                share: candidate.share,
            }),
        }
    }
    slots
}

/// Contents of a slot: the starts that it may hold, each with whether its transfer is from an earlier iteration.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Held {
    starts: BTreeMap<usize, bool>,
    /// Whether it holds one of them on every path here.
    sure: bool,
}

impl Held {
    fn join(&mut self, other: &Held) {
        self.sure &= other.sure;
        for (&start, &stale) in &other.starts {
            *self.starts.entry(start).or_default() |= stale;
        }
    }
}

type State = Vec<Held>;

/// Abstract execution of a kernel, which finds the places of flushes.
struct Walk<'a> {
    body: &'a Body,
    transfers: &'a Transfers,
    matches: &'a Matches,
    slots: &'a [Slot],
    /// Starts whose transfers are held up to a wait or a further start.
    held: Vec<bool>,
    /// The places found; `None` while the state at the head of a loop is unknown.
    flushes: Option<Vec<Flush>>,
}

impl Walk<'_> {
    fn block(&mut self, block: BlockId, state: &mut State) {
        let ops: Vec<OpId> = self.body.ops(block).collect();
        for op in ops {
            if let Some(start) = self.transfers.start_of(op) {
                self.start(op, start, state);
            } else if let Some(wait) = self.transfers.wait_of(op) {
                for slot in 0..self.slots.len() {
                    if self.may_end(&state[slot], wait) {
                        self.flush(op, slot, state, true);
                    }
                }
            } else if self.transfers.around.contains(&op) {
                self.region_op(op, state);
            }
        }
    }

    fn start(&mut self, op: OpId, start: usize, state: &mut State) {
        let slots = self.slots.iter();
        let Some(slot) = slots.clone().position(|slot| slot.starts.contains(&start)) else {
            return;
        };
        self.flush(op, slot, state, true);
        state[slot] = Held {
            starts: BTreeMap::from([(start, false)]),
            sure: true,
        };
    }

    fn may_end(&self, held: &Held, wait: usize) -> bool {
        (held.starts.iter()).any(|(&start, &stale)| self.matches.may_end(start, wait, stale))
    }

    /// Stores a slot before an operation, if it may hold anything.
    fn flush(&mut self, before: OpId, slot: usize, state: &mut State, is_late: bool) {
        let held = std::mem::take(&mut state[slot]);
        let Some(flushes) = &mut self.flushes else {
            return;
        };
        if held.starts.is_empty() {
            return;
        }
        if is_late {
            held.starts
                .keys()
                .for_each(|&start| self.held[start] = true);
        }
        flushes.push(Flush {
            before,
            slot,
            sure: held.sure,
        });
    }

    fn region_op(&mut self, op: OpId, state: &mut State) {
        let is_loop = is_counted_loop(self.body, op);
        let is_branch = matches!(self.body[op].name, scf::IF | affine::IF);
        let inside = |other: OpId| self.body.is_ancestor(op, other);
        let starts = self.transfers.starts.iter().map(|start| inside(start.op));
        let starts: Vec<bool> = starts.collect();
        let waits: Vec<bool> = (self.transfers.waits.iter())
            .map(|wait| wait.group && inside(wait.op))
            .collect();
        for slot in 0..self.slots.len() {
            let is_started = self.slots[slot].starts.iter().any(|&start| starts[start]);
            let is_ended =
                (0..waits.len()).any(|wait| waits[wait] && self.may_end(&state[slot], wait));
            if (is_started || is_ended) && !(is_loop && is_started) {
                // In a conditional, the start of the next transfer comes behind.
                self.flush(op, slot, state, is_branch && is_started);
            }
        }
        match (is_loop, is_branch) {
            (true, _) => self.counted_loop(op, state),
            (_, true) => self.branch(op, state),
            _ => self.closed(op, state),
        }
    }

    fn counted_loop(&mut self, op: OpId, state: &mut State) {
        let recorded = self.flushes.take();
        let mut head = state.clone();
        let mut is_stable = false;
        for _ in 0..MAX_ROUNDS {
            let end = self.iteration(op, head.clone());
            let mut joined = head.clone();
            for (mine, theirs) in joined.iter_mut().zip(end) {
                let mut theirs = theirs;
                let own = |start: usize| self.body.is_ancestor(op, self.transfers.starts[start].op);
                for (&start, stale) in &mut theirs.starts {
                    *stale |= own(start);
                }
                mine.join(&theirs);
            }
            is_stable = joined == head;
            head = joined;
            if is_stable {
                break;
            }
        }
        if !is_stable {
            for (held, slot) in head.iter_mut().zip(self.slots) {
                held.sure = false;
                held.starts
                    .extend(slot.starts.iter().map(|&start| (start, true)));
            }
        }
        self.flushes = recorded;
        let end = self.iteration(op, head.clone());
        for (slot, held) in state.iter_mut().enumerate() {
            *held = head[slot].clone();
            held.join(&end[slot]);
        }
    }

    fn iteration(&mut self, op: OpId, mut state: State) -> State {
        let blocks: Vec<BlockId> = self.body.blocks_of(op).collect();
        for block in blocks {
            self.block(block, &mut state);
        }
        state
    }

    fn branch(&mut self, op: OpId, state: &mut State) {
        let before = state.clone();
        let regions = self.body[op].inline_regions();
        let blocks: Vec<BlockId> = self.body.blocks_of(op).collect();
        let mut ends: Vec<State> = Vec::new();
        if blocks.len() < regions.len() || blocks.len() < 2 {
            ends.push(before.clone());
        }
        for block in blocks {
            let mut end = before.clone();
            self.block(block, &mut end);
            ends.push(end);
        }
        let mut ends = ends.into_iter();
        if let Some(first) = ends.next() {
            *state = first;
        }
        for end in ends {
            for (mine, theirs) in state.iter_mut().zip(&end) {
                mine.join(theirs);
            }
        }
    }

    /// Walks regions that pass nothing on: what starts in a block is stored at its end.
    fn closed(&mut self, op: OpId, state: &mut State) {
        let blocks: Vec<BlockId> = self.body.blocks_of(op).collect();
        for block in blocks {
            let mut inside = state.clone();
            self.block(block, &mut inside);
            let Some(last) = self.body[block].last() else {
                continue;
            };
            for slot in 0..self.slots.len() {
                if inside[slot] != state[slot] {
                    self.flush(last, slot, &mut inside, false);
                }
            }
        }
    }
}
