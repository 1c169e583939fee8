//! Dominance: every use is dominated by its definition.
//!
//! In a region of several blocks, block `a` dominates block `b` when every
//! path from the entry to `b` goes through `a`. A region of one block, which is
//! nearly every region, needs no more than the order of its operations.

use super::Scope;
use super::dominators::{self, Place};
use crate::body::{BlockId, Body, OpId, RegionId, Value, ValueDef};
use crate::context::{OpName, Traits};
use crate::diag::{Diagnostic, Diagnostics};
use crate::location::Loc;

/// Dominance tables of one body.
struct Dominance<'a> {
    body: &'a Body,
    /// The position of each operation in the body, which orders operations of
    /// one block.
    order: Vec<u32>,
    /// The position of each block in the dominator tree; `None` for unreachable
    /// blocks.
    places: Vec<Option<Place>>,
    /// Scratch space for [`dominators::places`].
    numbers: Vec<u32>,
    /// Whether each block lies in a graph region, where order does not matter.
    graph: Vec<bool>,
    /// The location of the operation that owns the body.
    owner: Loc,
}

/// Reports those of some operations, given in pre-order, with an operand that
/// its definition does not dominate.
pub(super) fn verify(scope: &Scope, ops: &[OpId], errors: &mut Diagnostics) {
    let body = scope.body;
    let tables = Dominance::new(scope);
    for &op in ops {
        if errors.len() >= super::MAX_ERRORS {
            return;
        }
        let reachable = body[op]
            .parent()
            .is_some_and(|b| tables.places[b.index()].is_some());
        if !reachable {
            continue;
        }
        for (index, &value) in body[op].operands.iter().enumerate() {
            if !tables.dominates(value, op) {
                errors.push(tables.error(op, index, value));
                break;
            }
        }
    }
}

impl<'a> Dominance<'a> {
    fn new(scope: &Scope<'a>) -> Self {
        let body = scope.body;
        let blocks = body.block_capacity();
        let mut tables = Dominance {
            body,
            order: vec![0; body.op_capacity()],
            places: vec![None; blocks],
            numbers: Vec::new(),
            graph: vec![false; blocks],
            owner: scope.owner().map_or(Loc::UNKNOWN, |owner| owner.data().loc),
        };
        if let Some(owner) = scope.owner() {
            for &region in body.regions() {
                tables.number(region, owner.name());
            }
        }
        for (position, op) in (0..).zip(body.walk()) {
            tables.order[op.index()] = position;
            for &region in body[op].inline_regions() {
                tables.number(region, body[op].name);
            }
        }
        tables
    }

    /// Numbers the operations of a region; `owner` is the operation that holds
    /// it. A region of an unknown operation may be a graph region, unless it
    /// has several blocks.
    fn number(&mut self, region: RegionId, owner: OpName) {
        let blocks = &self.body[region].blocks;
        let is_graph = match owner.has_row() {
            true => owner.has(Traits::GRAPH_REGION),
            false => blocks.len() == 1,
        };
        for &block in blocks {
            self.graph[block.index()] = is_graph;
        }
        match blocks[..] {
            [] => {}
            [only] => self.places[only.index()] = Some(Place::ALONE),
            [entry, ..] => {
                for (block, place) in dominators::places(self.body, entry, &mut self.numbers) {
                    self.places[block.index()] = Some(place);
                }
            }
        }
    }

    /// The ancestor of `op` (itself included) in a block of `region`.
    fn ancestor_in(&self, op: OpId, region: RegionId) -> Option<(OpId, BlockId)> {
        let mut op = op;
        loop {
            let block = self.body[op].parent()?;
            if self.body[block].parent() == Some(region) {
                return Some((op, block));
            }
            op = self.body.parent_op(op)?;
        }
    }

    fn dominates(&self, value: Value, user: OpId) -> bool {
        let def = self.body[value].def();
        let block = match def {
            ValueDef::Argument(block, _) => Some(block),
            ValueDef::Result(op, _) => self.body[op].parent(),
        };
        let Some(block) = block else { return false };
        let Some(region) = self.body[block].parent() else {
            return false;
        };
        let Some((ancestor, user_block)) = self.ancestor_in(user, region) else {
            return false;
        };
        if self.graph[block.index()] {
            return true;
        }
        match def {
            ValueDef::Result(op, _) if block == user_block => {
                self.order[op.index()] < self.order[ancestor.index()]
            }
            _ => match (self.places[block.index()], self.places[user_block.index()]) {
                (Some(place), Some(of_user)) => place.dominates(of_user),
                // Unreachable code may use anything.
                (_, of_user) => of_user.is_none(),
            },
        }
    }

    fn error(&self, op: OpId, index: usize, value: Value) -> Diagnostic {
        let message = format!("operand #{index} does not dominate this use");
        let error = Diagnostic::error(self.body[op].loc, message);
        match self.body[value].def() {
            ValueDef::Result(def, _) => {
                let place = self.place(self.body[def].parent(), op);
                let note = format!("operand defined here (op {place})");
                error.with_note(self.body[def].loc, note)
            }
            ValueDef::Argument(block, _) => {
                let place = self.place(Some(block), op);
                let region = self.body[block].parent();
                let number = region.and_then(|region| {
                    let blocks = &self.body[region].blocks;
                    blocks.iter().position(|&other| other == block)
                });
                let number = number.unwrap_or(0);
                let note = format!("operand defined as a block argument (block #{number} {place})");
                let around = self.body[block].first().or(self.body[block].last());
                let around = around.and_then(|op| self.body.parent_op(op));
                let owner = around.map_or(self.owner, |op| self.body[op].loc);
                let error = error.with_note(owner, note);
                error.with_hint(self.body[value].loc, "the argument")
            }
        }
    }

    /// Describes the position of a definition relative to its user, for the diagnostic.
    fn place(&self, block: Option<BlockId>, user: OpId) -> &'static str {
        let region_of = |block: Option<BlockId>| block.and_then(|b| self.body[b].parent());
        let own = self.body[user].parent();
        if block == own {
            "in the same block"
        } else if region_of(block) == region_of(own) {
            "in the same region"
        } else if region_of(block).is_some_and(|region| self.ancestor_in(user, region).is_some()) {
            "in a parent region"
        } else {
            "is neither in a parent nor in a child region"
        }
    }
}
