//! Records in the state of a thread: the insertion of one state's records into another, for
//! [record reductions](crate::analysis::record_reduction).
//!
//! ```text
//! maximum and count:  %c1 = cmpi sgt, %right.m, %left.m        // the iteration, with the other state for its record
//!                     %c2 = cmpi eq, %right.m, %left.m
//!                     %m  = select(%c1, %right.m, %left.m)
//!                     %n  = select(%c1, %right.n, select(%c2, %left.n + %right.n, %left.n))
//! ```

use gridloom_dialects::arith::{self, CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, select};
use gridloom_ir::{Builder, Context, IrMapping, Type, Value};

use crate::analysis::record_reduction::{Node, RecordReduction, Source};

/// Record reduction in a state.
#[derive(Clone)]
pub(super) struct Records {
    pub(super) reduction: RecordReduction,
    /// Position of the mark, if it has one.
    pub(super) mark: Option<usize>,
}

/// The type of marks.
pub(super) fn mark_type(ctx: &Context) -> Type {
    ctx.int_type(32)
}

impl Records {
    /// Emits the combination of two states, `left` of the earlier iterations, and assigns it to `all`.
    pub(super) fn combine(
        &self,
        b: &mut Builder,
        left: &[Value],
        right: &[Value],
        all: &mut [Value],
    ) {
        let slots = &self.reduction.slots;
        let of = |state: &[Value]| slots.iter().map(|&slot| state[slot]).collect::<Vec<_>>();
        let (earlier, later) = (of(left), of(right));
        let mut combined = earlier.clone();
        for record in &self.reduction.records {
            let leaves: Vec<Value> = (record.iter())
                .map(|&source| match source {
                    Source::Slot(slot) => later[slot],
                    Source::Constant(attr, ty) => b.constant(attr, ty),
                })
                .collect();
            combined = self.insert(b, &combined, &leaves);
        }
        if let Some(mark) = self.mark {
            let [none, again] = [0, 2].map(|number| constant(b, number));
            let is_without = CmpIOp::create(b, CmpIPredicate::Eq, right[mark], none);
            let is_again = CmpIOp::create(b, CmpIPredicate::Eq, right[mark], again);
            for (at, value) in combined.iter_mut().enumerate() {
                let kept = select(b, is_without, earlier[at], *value);
                *value = select(b, is_again, later[at], kept);
            }
            all[mark] = b.binary(arith::MAXSI, left[mark], right[mark]);
        }
        for (&slot, value) in slots.iter().zip(combined) {
            all[slot] = value;
        }
    }

    /// Emits the iteration of the loop from a state and leaves.
    fn insert(&self, b: &mut Builder, state: &[Value], leaves: &[Value]) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for node in &self.reduction.nodes {
            let value = match *node {
                Node::Slot(slot) => state[slot],
                Node::Leaf(leaf) => leaves[leaf],
                Node::Bool(holds) => {
                    let ty = b.ctx.bool_type();
                    let holds = b.ctx.int_attr(ty, holds.into());
                    b.constant(holds, ty)
                }
                Node::Select([c, x, y]) => select(b, values[c], values[x], values[y]),
                Node::Compare {
                    name,
                    predicate,
                    operands: [x, y],
                } => compare(b, name == arith::CMPF, predicate, [values[x], values[y]]),
                Node::Logic(name, [x, y])
                | Node::Extremum(name, [x, y])
                | Node::Accumulate(name, [x, y]) => b.binary(name, values[x], values[y]),
            };
            values.push(value);
        }
        let next = self.reduction.next.iter();
        next.map(|&node| values[node]).collect()
    }

    /// Emits the mark at the end of an iteration whose clone has `names`. `before` is the state at its start.
    pub(super) fn marked(
        &self,
        b: &mut Builder,
        before: &[Value],
        names: &IrMapping,
    ) -> Option<Value> {
        let (at, mark) = (self.mark?, self.reduction.mark?);
        let one = constant(b, 1);
        let found = b.binary(arith::MAXSI, before[at], one);
        let Some(key) = mark.restart else {
            return Some(found);
        };
        let key = names.value(key);
        let is_nan = CmpFOp::create(b, CmpFPredicate::Uno, key, key);
        let again = constant(b, 2);
        Some(select(b, is_nan, again, found))
    }
}

fn constant(b: &mut Builder, number: i64) -> Value {
    let ty = mark_type(b.ctx);
    let number = b.ctx.int_attr(ty, number);
    b.constant(number, ty)
}

fn compare(b: &mut Builder, is_float: bool, predicate: i64, [x, y]: [Value; 2]) -> Value {
    let known = "the analysis has read the predicate of a comparison";
    match is_float {
        true => CmpFOp::create(b, CmpFPredicate::from_value(predicate).expect(known), x, y),
        false => CmpIOp::create(b, CmpIPredicate::from_value(predicate).expect(known), x, y),
    }
}
