//! Emission of split transfers: loads at the start, stores at the flushes of their slot.
//!
//! Elements are kept in variables of the thread, which `mem2reg` makes values of; loops carry them.

use std::collections::HashMap;

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::{self, LoadOp, StoreOp};
use gridloom_dialects::{arith, scf};
use gridloom_ir::types::MemRefType;
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Type, TypeKind, Value};

use super::expand::{self, Spread};
use super::flow::Mover;
use super::plan::{Flush, Plan, Slot};
use super::{Block, Start};

/// Variables of a slot, memrefs without dimensions.
pub(super) struct Variables {
    /// The number of elements of the transfer that the slot holds, 0 without one; `None` where the
    /// slot is never read without one and all its transfers have the same count.
    count: Option<Value>,
    /// The position of the first element in the buffer of the slot.
    first: Value,
    /// The elements, in the order in which a thread accesses them.
    elements: Vec<Value>,
}

/// Emits the variables of all slots at the entry of the kernel.
pub(super) fn variables(ctx: &Context, body: &mut Body, plan: &Plan) -> Vec<Variables> {
    let entry = body
        .top_blocks()
        .next()
        .and_then(|block| body[block].first());
    let Some(entry) = entry else {
        return Vec::new();
    };
    let mut b = Builder::before(ctx, body, entry);
    let slots = plan.slots.iter().enumerate();
    slots
        .map(|(number, slot)| {
            let mut flushes = plan.flushes.iter().filter(|flush| flush.slot == number);
            let is_counted = slot.share.count.is_none() || flushes.any(|flush| !flush.sure);
            let index = ctx.index_type();
            let count = is_counted.then(|| variable(&mut b, index));
            if let Some(count) = count {
                let none = b.index_constant(0);
                StoreOp::create(&mut b, none, count, &[]);
            }
            let lanes = slot.share.accesses * slot.share.width;
            Variables {
                count,
                first: variable(&mut b, index),
                elements: (0..lanes).map(|_| variable(&mut b, slot.element)).collect(),
            }
        })
        .collect()
}

fn variable(b: &mut Builder, element: Type) -> Value {
    let ty = b.ctx.intern_type(TypeKind::MemRef(MemRefType {
        shape: [].into(),
        element,
        layout: None,
        space: None,
    }));
    let op = b.create(b.state(memref::ALLOCA).results(&[ty]));
    b.body[op].result(0)
}

/// Emitter of the accesses of split transfers.
pub(super) struct Splitter<'a> {
    pub(super) block: Block,
    pub(super) movers: &'a mut HashMap<OpId, Mover>,
}

impl Splitter<'_> {
    /// Emits the loads of a start, in front of it, into the variables of its slot.
    pub(super) fn load(
        &mut self,
        b: &mut Builder,
        (number, start): (usize, &Start),
        slot: &Slot,
        variables: &Variables,
    ) {
        let source = expand::row(b, &start.source);
        let first = expand::position(b, &start.target);
        StoreOp::create(b, first, variables.first, &[]);
        if let Some(count) = variables.count {
            StoreOp::create(b, start.count, count, &[]);
        }
        let spread = Spread::of(b, start);
        let width = slot.share.width;
        let known = arith::constant_int(b.ctx, b.body, start.count);
        let ends = self.ends(slot);
        for (access, end) in ends.into_iter().enumerate() {
            let element = self.element(b, slot, access);
            let inside = self.guard(b, element, (end, known, start.count));
            let at = b.point();
            if let Some(block) = inside {
                b.set(InsertPoint::End(block));
            }
            let far = match start.source_strided {
                true => spread.position(b, element),
                false => element,
            };
            let from = b.binary(arith::ADDI, source.first, far);
            let (op, values) = expand::read(b, (source.memref, from), width);
            self.movers.extend(op.map(|op| (op, Mover::Start(number))));
            let targets = variables.elements.iter().skip(access * width as usize);
            for (value, &target) in values.into_iter().zip(targets) {
                StoreOp::create(b, value, target, &[]);
            }
            if let Some(block) = inside {
                b.set(at);
                scf::yield_values(b, block, &[]);
            }
        }
    }

    /// Emits the stores of a slot.
    pub(super) fn flush(
        &mut self,
        b: &mut Builder,
        flush: &Flush,
        slot: &Slot,
        variables: &Variables,
    ) {
        let held = variables.count.map(|count| LoadOp::create(b, count, &[]));
        let count = match (slot.share.count, held) {
            (Some(count), _) => b.index_constant(count),
            (None, Some(held)) => held,
            // A slot without a known count has a variable for it.
            (None, None) => return,
        };
        let holds = held.filter(|_| !flush.sure && slot.share.count.is_some());
        let around = holds.map(|held| {
            let none = b.index_constant(0);
            let holds = CmpIOp::create(b, CmpIPredicate::Ne, held, none);
            scf::IfOp::create(b, holds, &[], false).then_block(b.body)
        });
        let at = b.point();
        if let Some(block) = around {
            b.set(InsertPoint::End(block));
        }
        let target = expand::flat(b, slot.target);
        let first = LoadOp::create(b, variables.first, &[]);
        let ends = self.ends(slot);
        for (access, end) in ends.into_iter().enumerate() {
            let element = self.element(b, slot, access);
            let inside = self.guard(b, element, (end, slot.share.count, count));
            let outside = b.point();
            if let Some(block) = inside {
                b.set(InsertPoint::End(block));
            }
            let width = slot.share.width as usize;
            let mine = variables.elements.iter().skip(access * width).take(width);
            let values: Vec<Value> = mine.map(|&from| LoadOp::create(b, from, &[])).collect();
            let to = b.binary(arith::ADDI, first, element);
            let store = expand::write(b, &values, (target, to));
            self.movers.insert(store, Mover::Slot(flush.slot));
            if let Some(block) = inside {
                b.set(outside);
                scf::yield_values(b, block, &[]);
            }
        }
        if let Some(block) = around {
            b.set(at);
            scf::yield_values(b, block, &[]);
        }
        if let Some(variable) = variables.count {
            let none = b.index_constant(0);
            StoreOp::create(b, none, variable, &[]);
        }
    }

    /// For each access of a thread, the number of elements up to it, over all threads.
    fn ends(&self, slot: &Slot) -> Vec<i64> {
        let share = slot.share;
        let each = share.threads * share.width;
        (1..=share.accesses).map(|access| access * each).collect()
    }

    /// Emits the number of the element that the thread accesses first in an access.
    fn element(&self, b: &mut Builder, slot: &Slot, access: usize) -> Value {
        let (thread, _) = expand::thread(b, self.block);
        let before = b.index_constant(access as i64 * slot.share.threads);
        let number = b.binary(arith::ADDI, thread, before);
        expand::times(b, number, slot.share.width)
    }

    /// Emits the condition that an element is one of the transfer; returns the block that runs where
    /// it holds, or `None` where it always does.
    fn guard(
        &self,
        b: &mut Builder,
        element: Value,
        (end, known, count): (i64, Option<i64>, Value),
    ) -> Option<gridloom_ir::BlockId> {
        if known.is_some_and(|known| end <= known) {
            return None;
        }
        let is_one = CmpIOp::create(b, CmpIPredicate::Slt, element, count);
        Some(scf::IfOp::create(b, is_one, &[], false).then_block(b.body))
    }
}
