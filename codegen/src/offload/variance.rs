//! Variance: the counters of a band that each value below it depends on.
//!
//! A value that does not vary with a counter is the same in all iterations
//! that differ in this counter only, so a tile of them computes it once. That
//! goes for loads too, since the band's loops are parallel. Say two iterations
//! `p ≠ q` of the nest load from one address, and an iteration `w` stores
//! there. Then `w` is another iteration than `p` or than `q`, and depends on it,
//! which parallel loops exclude. So nothing stores there, or the iterations
//! that differ in this counter are one.

use crate::analysis::loop_kind::is_counted_loop;
use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, Value};

/// A set of counters: one bit for each, by its position in the band.
pub type Mask = u32;

/// Variance of each value and operation below a band: the counters that it depends on.
#[derive(Debug)]
pub struct Variance {
    values: FxHashMap<Value, Mask>,
    control: FxHashMap<OpId, Mask>,
    all: Mask,
}

/// Unrolling shape: how a tile treats an operation with regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// Structured: a loop or branch whose first operands decide how often and whether its blocks
    /// run; the others are carried values.
    Structured(usize),
    /// Opaque: an operation that is repeated as a whole.
    Opaque,
}

/// The shape of an operation that has regions.
pub(super) fn shape(ctx: &Context, body: &Body, op: OpId) -> Shape {
    let data = &body[op];
    match data.name {
        affine::FOR => {
            let inits = ForOp(op).inits(ctx, body).len();
            Shape::Structured(data.operands.len() - inits)
        }
        affine::IF | scf::IF => Shape::Structured(data.operands.len()),
        scf::FOR => Shape::Structured(3.min(data.operands.len())),
        _ => Shape::Opaque,
    }
}

impl Variance {
    /// Computes the variance of everything below `root`, the outermost loop of a band with these
    /// counters.
    pub fn new(ctx: &Context, body: &Body, root: OpId, counters: &[Value]) -> Self {
        let mut variance = Variance {
            values: FxHashMap::default(),
            control: FxHashMap::default(),
            all: (1 << counters.len()) - 1,
        };
        for (k, &counter) in counters.iter().enumerate() {
            variance.values.insert(counter, 1 << k);
        }
        let ops: Vec<OpId> = body.walk_op(root);
        // The sets only grow, so the fixed point is reached; loops that carry values take a few
        // rounds.
        while ops[1..]
            .iter()
            .fold(false, |grown, &op| variance.visit(ctx, body, op) | grown)
        {}
        variance
    }

    /// The counters that a value depends on. A value inside a loop that is repeated for each point
    /// need not depend on the counters that the loop varies with.
    pub fn of(&self, value: Value) -> Mask {
        self.values.get(&value).copied().unwrap_or(0)
    }

    /// The counters that an operation must be repeated for: those that its operands depend on, or,
    /// for an operation with regions, those that decide how its blocks run.
    pub fn of_op(&self, body: &Body, op: OpId) -> Mask {
        if let Some(&control) = self.control.get(&op) {
            return control;
        }
        let data = &body[op];
        match data.name {
            memref::ALLOC | memref::ALLOCA => self.all,
            _ => self.of_all(&data.operands),
        }
    }

    fn of_all(&self, values: &[Value]) -> Mask {
        values.iter().fold(0, |mask, &value| mask | self.of(value))
    }

    /// Transfer function of one operation. Returns whether any set grew.
    fn visit(&mut self, ctx: &Context, body: &Body, op: OpId) -> bool {
        let data = &body[op];
        if data.name.has(Traits::TERMINATOR) {
            return self.visit_yield(body, op);
        }
        if data.inline_regions().is_empty() {
            let mask = self.of_op(body, op);
            return data
                .results()
                .fold(false, |grown, v| self.grow(v, mask) | grown);
        }
        let (control, carried) = match shape(ctx, body, op) {
            Shape::Structured(count) => {
                let (first, carried) = data.operands.split_at(count);
                (self.of_all(first), carried.to_vec())
            }
            Shape::Opaque => {
                let all = body.walk_op(op);
                let mask = all.iter().fold(0, |mask, &op| mask | self.of_op(body, op));
                (mask | self.of_all(&data.operands), Vec::new())
            }
        };
        let known = self.control.entry(op).or_default();
        let mut grown = control & !*known != 0;
        *known |= control;
        for result in data.results() {
            grown |= self.grow(result, control);
        }
        if carried.is_empty() {
            return grown;
        }
        let Some(block) = body.region_block(op, 0) else {
            return grown;
        };
        for (index, &init) in carried.iter().enumerate() {
            // A carried value depends on the number of iterations before.
            let mask = self.of(init) | control;
            grown |= self.grow(data.result(index), mask);
            grown |= self.grow(body[block].args[index + 1], mask);
        }
        grown
    }

    /// Propagates yielded values to the results and the next iteration's arguments.
    fn visit_yield(&mut self, body: &Body, op: OpId) -> bool {
        let Some(parent) = body.parent_op(op) else {
            return false;
        };
        let mut grown = false;
        let yielded = body[op].operands.iter();
        for (&value, result) in yielded.zip(body[parent].results()) {
            grown |= self.grow(result, self.of(value));
        }
        if !is_counted_loop(body, parent) {
            return grown;
        }
        let args = body[op].parent().map(|block| &body[block].args[1..]);
        for (&value, &arg) in body[op].operands.iter().zip(args.unwrap_or(&[])) {
            grown |= self.grow(arg, self.of(value));
        }
        grown
    }

    fn grow(&mut self, value: Value, mask: Mask) -> bool {
        let known = self.values.entry(value).or_default();
        let grown = mask & !*known != 0;
        *known |= mask;
        grown
    }
}
