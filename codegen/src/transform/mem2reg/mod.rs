//! `mem2reg`: promotes local variables of one element to SSA values.
//!
//! ```text
//! %s = memref.alloca() : memref<f32>          %t = scf.for %i = %l to %u step %c1
//! memref.store %z, %s[]                           iter_args(%s = %z) {
//! scf.for %i = %l to %u step %c1 {              %y = arith.addf %s, %x
//!   %v = memref.load %s[]                ⇒      scf.yield %y
//!   %y = arith.addf %v, %x                    }
//!   memref.store %y, %s[]                     use(%t)
//! }
//! %t = memref.load %s[]
//! use(%t)
//! ```
//!
//! Front ends put every variable of a source program in memory, loop counters too; no other pass
//! recognizes a counted loop whose counter lies in memory. Loops carry the variables that they
//! store and that are read afterwards, conditionals return them. A variable that is read before any
//! store is 0: any value would do.
//!
//! Legal where all uses of the allocation are loads and stores of its element or free it, and where each store is in
//! the block of the allocation or below it in structured control flow of single blocks, which can pass the value on. Done
//! on the heap for numbers that subscripts are computed from. A store anywhere else (iterations of a parallel loop, a
//! `gpu.launch`, blocks with branches) keeps the variable in memory; loads there do not.

mod liveness;
mod slots;

use crate::analysis::loop_kind::is_sequential_loop;
use gridloom_dialects::{affine, scf};
use gridloom_ir::{BlockId, Body, Context, OpId, OpState, Type, Value};
use gridloom_rewrite::rewriter::Rewriter;

use liveness::{Liveness, SlotSet};
use slots::Slots;

/// Promotes the variables of a function body. Returns whether there were any.
pub fn promote_variables(ctx: &Context, body: &mut Body) -> bool {
    let slots = Slots::of(ctx, body);
    if slots.is_empty() {
        return false;
    }
    let liveness = Liveness::of(body, &slots);
    let blocks: Vec<BlockId> = body.top_blocks().collect();
    let mut promotion = Promotion {
        held: vec![None; slots.len()],
        slots: &slots,
        liveness: &liveness,
        rw: Rewriter::new(ctx, body),
    };
    for block in blocks {
        promotion.block(block, &SlotSet::new());
    }
    for &free in slots.frees() {
        promotion.rw.erase(free);
    }
    for slot in 0..slots.len() {
        promotion.rw.erase(slots.allocation(slot));
    }
    true
}

/// Promotion of slots: replaces loads by held values, in execution order.
struct Promotion<'a> {
    rw: Rewriter<'a>,
    slots: &'a Slots,
    liveness: &'a Liveness<'a>,
    /// Held value of each slot at the current place; `None` where nothing was stored.
    held: Vec<Option<Value>>,
}

impl Promotion<'_> {
    /// Promotes slots in a block at whose end the slots `live` are read later. Recursion is as deep
    /// as regions nest, which the parser bounds.
    fn block(&mut self, block: BlockId, live: &SlotSet) {
        let live_after = self.liveness.after_ops(self.rw.body(), block, live);
        let ops: Vec<OpId> = self.rw.body().ops(block).collect();
        for op in ops {
            if let Some(access) = self.slots.access(op) {
                self.access(op, access);
            } else if self.liveness.is_concerned(op) {
                self.structured(op, live_after.get(&op));
            }
        }
    }

    fn access(&mut self, op: OpId, (slot, is_store): (usize, bool)) {
        if is_store {
            self.held[slot] = Some(self.rw.body()[op].operands[0]);
            self.rw.erase(op);
        } else {
            let value = self.value(slot);
            self.rw.replace_op(op, &[value]);
        }
    }

    /// The held value of a slot; 0 where nothing was stored.
    fn value(&mut self, slot: usize) -> Value {
        if let Some(value) = self.held[slot] {
            return value;
        }
        let (ty, allocation) = (self.slots.ty(slot), self.slots.allocation(slot));
        let zero = self.rw.splat(0, ty, allocation);
        // `Slots` takes types with a zero only.
        let zero = zero.unwrap_or_else(|| unreachable!("a slot of a type without constants"));
        self.held[slot] = Some(zero);
        zero
    }

    /// Promotes slots in the regions of an operation, and makes it pass on the slots that it
    /// stores.
    fn structured(&mut self, op: OpId, live_after: Option<&SlotSet>) {
        let touched = self.liveness.touched(op);
        let is_read_later = |slot: &usize| live_after.is_some_and(|live| live.contains(slot));
        let is_loop = is_sequential_loop(self.rw.body(), op);
        let passed: Vec<usize> = (touched.written.iter().copied())
            .filter(|slot| is_read_later(slot) || is_loop && touched.exposed.contains(slot))
            .collect();
        let inits: Vec<Value> = match is_loop {
            true => passed.iter().map(|&slot| self.value(slot)).collect(),
            false => Vec::new(),
        };
        let held = |&slot: &usize| (slot, self.held[slot]);
        let before: Vec<(usize, Option<Value>)> = touched.written.iter().map(held).collect();
        let op = match passed.is_empty() {
            true => op,
            false => self.extend(op, &inits, &passed),
        };
        let live: SlotSet = passed.iter().copied().collect();
        let blocks: Vec<BlockId> = self.rw.body().blocks_of(op).collect();
        for block in blocks {
            for &(slot, value) in &before {
                self.held[slot] = value;
            }
            if is_loop {
                self.enter(op, block, &passed);
            }
            self.block(block, &live);
            self.leave(block, &passed);
        }
        for &slot in &touched.written {
            self.held[slot] = None;
        }
        let results: Vec<Value> = self.rw.body()[op].results().collect();
        let first = results.len() - passed.len();
        for (&slot, &result) in passed.iter().zip(&results[first..]) {
            self.held[slot] = Some(result);
        }
    }

    /// Recreates an operation with initial values as operands and a result for each slot.
    fn extend(&mut self, op: OpId, inits: &[Value], passed: &[usize]) -> OpId {
        let types: Vec<Type> = passed.iter().map(|&slot| self.slots.ty(slot)).collect();
        let data = &self.rw.body()[op];
        let operands = [&data.operands[..], inits].concat();
        let keep = vec![true; data.num_results()];
        let new = self.rw.rebuild_with(op, &operands, &keep, &types);
        self.rw.resize_carried(new);
        self.add_else(new);
        new
    }

    /// Adds an else block to a conditional without one.
    fn add_else(&mut self, op: OpId) {
        let name = self.rw.body()[op].name;
        let yields = match name {
            scf::IF => scf::YIELD,
            affine::IF => affine::YIELD,
            _ => return,
        };
        let regions = self.rw.body()[op].inline_regions();
        if let Some(&region) = regions.get(1)
            && self.rw.body()[region].entry().is_none()
        {
            let block = self.rw.add_block(region, &[]);
            let loc = self.rw.body()[op].loc;
            self.rw.create_at_end(block, OpState::new(yields, loc));
        }
    }

    /// Enters a block of a loop: its new arguments become the held values.
    fn enter(&mut self, op: OpId, block: BlockId, passed: &[usize]) {
        for &slot in passed {
            let ty = self.slots.ty(slot);
            self.held[slot] = Some(self.rw.add_argument(block, ty, op));
        }
    }

    /// Leaves a block: its terminator passes on the held values of slots.
    fn leave(&mut self, block: BlockId, passed: &[usize]) {
        if passed.is_empty() {
            return;
        }
        let Some(last) = self.rw.body()[block].last() else {
            return;
        };
        let values = passed.iter().map(|&slot| self.value(slot));
        let values: Vec<Value> = values.collect();
        let operands = [&self.rw.body()[last].operands[..], &values].concat();
        self.rw.set_operands(last, &operands);
    }
}
