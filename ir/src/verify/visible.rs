//! Visibility walk: decides the dominance of nearly all uses in one walk over a body.
//!
//! On a preorder walk, a value becomes visible after the operation that defines it, or with its
//! block, and stops being visible after that block; after its region if the block is the entry. A
//! use of a visible value is dominated or unreachable. The remaining uses (of values of other
//! blocks, in graph regions, in unreachable code) go to `dominance`.

use std::mem::replace;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::body::{BlockId, Body, OpId, RegionId};

/// Visibility of values during a walk. Reused from body to body for its
/// allocations.
#[derive(Default)]
pub(super) struct Visible {
    /// For each value that has been visible, its block's index in `open`; 0 for
    /// the others.
    homes: Vec<u32>,
    /// Whether the walk is inside each block; a block's index is its number
    /// plus one.
    open: Vec<bool>,
    /// Operations with an operand that was not visible, which `dominance` decides.
    doubtful: Vec<OpId>,
}

/// The walk's position among the blocks of an operation.
struct Place<'b> {
    /// The operation; `None` at the top of the body.
    owner: Option<OpId>,
    /// The remaining regions, and the remaining blocks of the current region.
    regions: &'b [RegionId],
    blocks: &'b [BlockId],
    /// The entry of the current region and the current block, as indices into
    /// `open`; 0 before the first.
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
    /// Calls `visit` for every operation of a body in preorder, until it
    /// breaks. Returns, in this order, the operations that have an operand not
    /// visibly dominated by its definition.
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

    /// Goes on to the next block of the operation, if there is one. An entry
    /// stays visible until its region ends, since it dominates all other
    /// blocks.
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
