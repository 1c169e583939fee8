//! Barriers of transfers: one for each start and wait of a workgroup, without those that order
//! nothing.
//!
//! ```text
//! gpu.barrier                                   %s[…] = …
//! %s[…] = …                                     gpu.barrier
//! gpu.barrier                             ⇒     … = %s[…]
//! … = %s[…]
//! ```
//!
//! A start and a wait are barriers: they order what any thread did before them and what any does
//! after them. A barrier is left out where each pair of such accesses is ordered by another one,
//! does not conflict, or is none in a program that the interpreter runs without an error: between
//! the start of a transfer and its wait nothing else writes its source or touches its destination.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use gridloom_dialects::{affine, gpu, scf};
use gridloom_ir::{Body, Builder, Context, OpId};

use super::flow::{Edge, Event, Flow, Mover, Touch};
use super::plan::Slot;
use super::tags::{Match, Matches};
use super::{Memory, Transfers};

/// Limit of the steps of the search for barriers that order nothing; past it the rest stay.
const MAX_STEPS: usize = 50_000_000;

/// Inserts barriers in front of the starts, and of the conditionals that guard starts whose waits
/// stand elsewhere. Returns them.
pub(super) fn before_starts(ctx: &Context, body: &mut Body, transfers: &Transfers) -> Vec<OpId> {
    let starts = transfers.starts.iter().filter(|start| start.group);
    let mut places: Vec<OpId> = Vec::new();
    for start in starts {
        let guards = body.ancestors(start.op).take_while(|&op| {
            matches!(body[op].name, scf::IF | affine::IF) && !transfers.has_wait(body, op)
        });
        for place in std::iter::once(start.op).chain(guards.last()) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places
        .iter()
        .map(|&place| insert(ctx, body, place))
        .collect()
}

/// Inserts barriers in front of the waits. Returns them.
pub(super) fn before_waits(ctx: &Context, body: &mut Body, transfers: &Transfers) -> Vec<OpId> {
    let waits = transfers.waits.iter().filter(|wait| wait.group);
    waits.map(|wait| insert(ctx, body, wait.op)).collect()
}

fn insert(ctx: &Context, body: &mut Body, place: OpId) -> OpId {
    let mut b = Builder::before(ctx, body, place);
    b.create(b.state(gpu::BARRIER))
}

/// The transfers of a kernel whose accesses have been emitted.
pub(super) struct Emitted<'a> {
    pub(super) memory: &'a Memory<'a>,
    pub(super) transfers: &'a Transfers,
    pub(super) matches: &'a Matches,
    pub(super) slots: &'a [Slot],
    pub(super) movers: &'a HashMap<OpId, Mover>,
}

/// Erases the barriers, of those given, that order nothing.
pub(super) fn erase_needless(
    ctx: &Context,
    body: &mut Body,
    emitted: &Emitted<'_>,
    mut barriers: Vec<OpId>,
) {
    if barriers.is_empty() {
        return;
    }
    let Emitted {
        memory,
        transfers,
        movers,
        ..
    } = *emitted;
    let flow = Flow::of(ctx, body, memory, transfers, movers);
    // The barriers of loops cost most.
    barriers.sort_by_key(|&op| std::cmp::Reverse(body.ancestors(op).count()));
    let mut search = Search {
        body,
        emitted,
        flow: &flow,
        erased: HashSet::new(),
        left: MAX_STEPS,
    };
    for barrier in barriers {
        if search.is_needless(barrier) {
            search.erased.insert(barrier);
        }
    }
    for barrier in search.erased {
        body.erase(barrier);
    }
}

struct Search<'a> {
    body: &'a Body,
    emitted: &'a Emitted<'a>,
    flow: &'a Flow,
    erased: HashSet<OpId>,
    left: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// Bits of the state of a path: it has passed what is asked for; it has passed the barrier in
/// question; an iteration of a loop around the start has ended.
const HIT: u8 = 1;
const PASSED: u8 = 2;
const STALE: u8 = 4;

/// For each node, the set of states in which paths come to it, as bits.
type Reached = Vec<u8>;

/// An access that a path reaches.
#[derive(Clone, Copy)]
struct Reach {
    node: usize,
    touch: Touch,
    mover: Option<Mover>,
}

impl Search<'_> {
    /// Whether all accesses before and after a barrier are ordered without it, or need no order.
    fn is_needless(&mut self, barrier: OpId) -> bool {
        let nodes = &self.flow.nodes;
        let place = nodes
            .iter()
            .position(|node| node.event == Event::Barrier(barrier));
        let Some(place) = place else {
            return false;
        };
        let nothing = |_: Event, state: u8| state;
        let stay = |_: OpId, state: u8| state;
        let before = self.search(place, barrier, Direction::Backward, nothing, stay);
        let after = self.search(place, barrier, Direction::Forward, nothing, stay);
        let (Some(before), Some(after)) = (before, after) else {
            return false;
        };
        let (before, after) = (self.accesses(&before), self.accesses(&after));
        let conflicting = |a: &Reach| after.iter().any(|b| a.touch.conflicts(b.touch));
        let Some(left) =
            (before.len().checked_mul(after.len())).and_then(|pairs| self.left.checked_sub(pairs))
        else {
            return false;
        };
        self.left = left;
        let before: Vec<Reach> = before.into_iter().filter(conflicting).collect();
        let mut by_slot: HashMap<usize, [Reached; 2]> = HashMap::new();
        for a in before {
            let behind = match a.mover {
                Some(mover) => match self.behind_wait(a.node, barrier, mover) {
                    Some(behind) => Some(behind),
                    None => return false,
                },
                None => None,
            };
            for b in after.iter().filter(|b| a.touch.conflicts(b.touch)) {
                if behind.as_ref().is_some_and(|behind| behind[b.node] == 0) {
                    continue;
                }
                let Some(Mover::Slot(slot)) = b.mover else {
                    return false;
                };
                let [back, forth] = match by_slot.entry(slot) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(unknown) => match self.past_start(place, barrier, slot) {
                        Some(passed) => unknown.insert(passed),
                        None => return false,
                    },
                };
                let has_hit = |states: u8| states & (1 << HIT) != 0;
                if has_hit(back[a.node]) || has_hit(forth[b.node]) {
                    return false;
                }
            }
        }
        true
    }

    fn accesses(&self, reached: &Reached) -> Vec<Reach> {
        let nodes = self.flow.nodes.iter().enumerate();
        let found = nodes.filter(|&(node, _)| reached[node] != 0);
        let accesses = found.filter_map(|(node, known)| match known.event {
            Event::Access(touch, mover) => Some(Reach { node, touch, mover }),
            _ => None,
        });
        accesses.collect()
    }

    /// The nodes that paths from an access of a transfer come to across the barrier and across a
    /// wait that may end the transfer.
    fn behind_wait(&mut self, from: usize, barrier: OpId, mover: Mover) -> Option<Reached> {
        let Emitted {
            transfers,
            matches,
            slots,
            ..
        } = *self.emitted;
        let body = self.body;
        let may_end = |wait: usize, is_stale: bool| match mover {
            Mover::Start(start) => matches.may_end(start, wait, is_stale),
            Mover::Slot(slot) => {
                (slots[slot].starts.iter()).any(|&start| matches.get(start, wait) != Match::Never)
            }
        };
        let at = |event: Event, state: u8| match event {
            Event::Wait(wait) if may_end(wait, state & STALE != 0) => state | HIT,
            Event::Barrier(op) if op == barrier => state | PASSED,
            _ => state,
        };
        let again = |op: OpId, state: u8| match mover {
            Mover::Start(start) if !body.is_ancestor(op, transfers.starts[start].op) => state,
            _ => state | STALE,
        };
        let mut reached = self.search(from, barrier, Direction::Forward, at, again)?;
        let both = |state: u8| state & (HIT | PASSED) == HIT | PASSED;
        for states in &mut reached {
            *states = (0..8)
                .filter(|&state| both(state))
                .fold(0, |all, state| all | (*states & (1 << state)));
        }
        Some(reached)
    }

    /// The states in which paths to and from a barrier come to the nodes, with whether they pass a
    /// start of the slot.
    fn past_start(&mut self, place: usize, barrier: OpId, slot: usize) -> Option<[Reached; 2]> {
        let starts = &self.emitted.slots[slot].starts;
        let at = |event: Event, state: u8| match event {
            Event::Start(start) if starts.contains(&start) => state | HIT,
            _ => state,
        };
        let stay = |_: OpId, state: u8| state;
        let back = self.search(place, barrier, Direction::Backward, at, stay)?;
        let forth = self.search(place, barrier, Direction::Forward, at, stay)?;
        Some([back, forth])
    }

    /// The states in which paths from a node come to the others without crossing a barrier, but for
    /// the one in question. The state changes at events and where an iteration ends; `None` past the
    /// limit of steps.
    fn search(
        &mut self,
        from: usize,
        barrier: OpId,
        direction: Direction,
        at: impl Fn(Event, u8) -> u8,
        again: impl Fn(OpId, u8) -> u8,
    ) -> Option<Reached> {
        let nodes = &self.flow.nodes;
        let mut reached: Reached = vec![0; nodes.len()];
        let mut open = vec![(from, 0u8)];
        while let Some((node, state)) = open.pop() {
            let edges: &[Edge] = match direction {
                Direction::Forward => &nodes[node].next,
                Direction::Backward => &nodes[node].before,
            };
            for edge in edges {
                self.left = self.left.checked_sub(1)?;
                let state = edge.repeats.map_or(state, |op| again(op, state));
                let event = nodes[edge.to].event;
                let is_wall = matches!(event, Event::Barrier(op) if op != barrier && !self.erased.contains(&op));
                if is_wall {
                    continue;
                }
                let state = at(event, state);
                if reached[edge.to] & (1 << state) == 0 {
                    reached[edge.to] |= 1 << state;
                    open.push((edge.to, state));
                }
            }
        }
        Some(reached)
    }
}
