//! The walk over a body, with the quick answer to whether every use in it is
//! dominated.
//!
//! On a walk in pre-order a value comes into sight behind the operation that
//! defines it, or with its block, and is out of sight behind that block, or
//! behind the region if the block is its entry. A use whose value is in sight is
//! dominated, or never runs. What this does not find — uses of what other blocks
//! define, in graph regions, in unreachable code — `dominance` decides.

use std::mem::replace;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::body::{BlockId, Body, OpId, RegionId};

/// What is in sight. Kept from body to body for its memory.
#[derive(Default)]
pub(super) struct Visible {
    /// For each value that has been in sight, the place of its block in `open`;
    /// 0 for the others.
    homes: Vec<u32>,
    /// Whether the walk is in each block, whose place is its number plus one.
    open: Vec<bool>,
    /// The operations met with an operand that was not in sight.
    doubtful: Vec<OpId>,
}

/// Where the walk is among the blocks of an operation.
struct Place<'b> {
    /// The operation; `None` at the top of the body.
    owner: Option<OpId>,
    /// The regions and the blocks of the region at hand that are still to come.
    regions: &'b [RegionId],
    blocks: &'b [BlockId],
    /// The entry of the region at hand and the block at hand, as their places
    /// among all; 0 before the first.
    entry: u32,
    home: u32,
}

impl<'b> Place<'b> {
    fn new(owner: Option<OpId>, regions: &'b [RegionId]) -> Self {
        Place {
            owner,
            regions,
            blocks: &[],
            entry: 0,
            home: 0,
        }
    }
}

impl Visible {
    /// Calls `visit` with every operation of a body in pre-order, until it
    /// breaks. Gives the operations, in this order, of which it is not plain to
    /// see that every operand is dominated by its definition.
    pub(super) fn walk(
        &mut self,
        body: &Body,
        mut visit: impl FnMut(OpId) -> ControlFlow<()>,
    ) -> &[OpId] {
        self.doubtful.clear();
        self.homes.clear();
        self.homes.resize(body.value_capacity(), 0);
        self.open.clear();
        self.open.resize(body.block_capacity() + 1, false);
        let mut around: SmallVec<[Place; 8]> = SmallVec::new();
        let mut place = Place::new(None, body.regions());
        let mut next = None;
        loop {
            let Some(op) = next else {
                next = match (self.enter_next(&mut place, body), place.owner) {
                    (Some(block), _) => body[block].first(),
                    (None, Some(owner)) => {
                        place = around.pop().expect("a place was left for its regions");
                        self.show_results(body, owner, place.home);
                        body[owner].next()
                    }
                    (None, None) => return &self.doubtful,
                };
                continue;
            };
            let data = &body[op];
            let mut homes = data.operands.iter().map(|v| self.homes[v.index()]);
            if !homes.all(|home| self.open[home as usize]) {
                self.doubtful.push(op);
            }
            if visit(op).is_break() {
                return &self.doubtful;
            }
            let regions = data.inline_regions();
            if regions.is_empty() {
                self.show_results(body, op, place.home);
                next = data.next();
            } else {
                around.push(replace(&mut place, Place::new(Some(op), regions)));
                next = None;
            }
        }
    }

    /// Leaves the block at hand for the next one of the operation, if there is
    /// one. An entry stays in sight until its region ends: no other block is
    /// come to but through it.
    fn enter_next<'b>(&mut self, place: &mut Place<'b>, body: &'b Body) -> Option<BlockId> {
        if place.home != place.entry {
            self.open[place.home as usize] = false;
        }
        let begins = place.blocks.is_empty();
        if begins {
            self.open[place.entry as usize] = false;
        }
        while place.blocks.is_empty() {
            let (&region, rest) = place.regions.split_first()?;
            place.regions = rest;
            place.blocks = &body[region].blocks;
        }
        let (&block, rest) = place.blocks.split_first()?;
        place.blocks = rest;
        place.home = block.index() as u32 + 1;
        if begins {
            place.entry = place.home;
        }
        self.open[place.home as usize] = true;
        for arg in &body[block].args {
            self.homes[arg.index()] = place.home;
        }
        Some(block)
    }

    fn show_results(&mut self, body: &Body, op: OpId, home: u32) {
        for slot in &mut self.homes[body[op].result_positions()] {
            *slot = home;
        }
    }
}
