//! Counters in place of their casts, as a part of `affine-carry-selected-elements`.
//!
//! ```text
//!                                                %first = arith.index_cast %none : i32 to index
//! %r:2 = affine.for %i = 0 to %n                 %r, %k = affine.for %i = 0 to %n
//!     iter_args(%m = %least, %at = %none) {          iter_args(%m = %least, %at = %first) {
//!   %x = affine.load %a[%i]                        %x = affine.load %a[%i]
//!   %j = arith.index_cast %i : index to i32        %c = arith.cmpf ogt, %x, %m
//!   %c = arith.cmpf ogt, %x, %m             ⇒      %y = arith.select %c, %x, %m
//!   %y = arith.select %c, %x, %m                   %l = arith.select %c, %i, %at
//!   %l = arith.select %c, %j, %at                  affine.yield %y, %l
//!   affine.yield %y, %l                          }
//! }                                              %at = arith.index_cast %k : index to i32
//! ```
//!
//! A counter is its own position where parts of a reduction are combined, so that threads and partial results carry one
//! number, not the same one twice.
//!
//! Legal as the cast of the selected counter is the selected cast, and the first value comes back from an index: one that
//! has 32 bits, as indices in kernels may have.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, select};
use gridloom_ir::body::Uses;
use gridloom_ir::types::TypeKind;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, OpName, Value};

use crate::analysis::arg_reduction::arg_reductions_of;
use crate::transform::affine_guard_overflow::is_fallback;
use crate::transform::emit_loops::close;

/// Argmin or argmax that carries a cast of its counter.
pub(super) struct CastCounter {
    l: ForOp,
    /// Position of the cast among the carried values.
    at: usize,
    /// The select of the next one, and whether it takes the cast where its condition holds.
    select: OpId,
    is_taken_if: bool,
    cast: OpName,
}

impl CastCounter {
    /// The first cast of a counter that a loop carries.
    pub(super) fn of(ctx: &Context, body: &Body, uses: &Uses, l: ForOp) -> Option<CastCounter> {
        if is_fallback(body, l.0) {
            return None;
        }
        let args = arg_reductions_of(ctx, body, uses, l).into_iter();
        let mut taken = args.filter(|arg| arg.counter.is_none()).flat_map(|arg| {
            let is_taken_if = arg.condition.1;
            arg.taken.into_iter().map(move |at| (at, is_taken_if))
        });
        taken.find_map(|(at, is_taken_if)| {
            // The loops of a nest hand the value on.
            let first = l.inits(ctx, body)[at];
            let around = body
                .value_block(first)
                .and_then(|block| body.block_parent_op(block));
            let is_handed = body.defining_op(first).is_none()
                && around.is_some_and(|op| body[op].name == affine::FOR);
            let select = body.defining_op(l.yielded(body)[at])?;
            if is_handed || body[select].name != arith::SELECT {
                return None;
            }
            let taken = body[select].operands[if is_taken_if { 1 } else { 2 }];
            let cast = body.defining_op(taken)?;
            let name = body[cast].name;
            let is_cast = matches!(name, arith::INDEX_CAST | arith::INDEX_CASTUI)
                && body[cast].operands[0] == l.induction_var(body);
            (is_cast && comes_back(ctx, body, name, first)).then_some(CastCounter {
                l,
                at,
                select,
                is_taken_if,
                cast: name,
            })
        })
    }

    /// Carries the counter.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let (old, at) = (self.l, self.at);
        let index = ctx.index_type();
        let mut inits = old.inits(ctx, body).to_vec();
        let ty = body.ty(inits[at]);
        let mut b = Builder::before(ctx, body, old.0);
        inits[at] = b.unary(self.cast, &[inits[at]], index);
        let new = old.create_like(&mut b, &IrMapping::new(), &inits);
        let counter = new.induction_var(b.body);
        let carried = new.iter_args(b.body).to_vec();
        let mut names = vec![(old.induction_var(b.body), counter)];
        names.extend(
            old.iter_args(b.body)
                .iter()
                .copied()
                .zip(carried.iter().copied()),
        );
        let named = |v: Value| names.iter().find(|n| n.0 == v).map_or(v, |n| n.1);
        let mut yielded: Vec<Value> = old.yielded(b.body).iter().map(|&v| named(v)).collect();
        let block = new.block(b.body);
        let statements = old.statements(b.body).into_iter();
        for op in statements.filter(|&op| op != self.select) {
            b.body.detach(op);
            b.body.append(block, op);
            b.body.replace_values_in(op, named);
        }
        b.set(InsertPoint::End(block));
        let condition = named(b.body[self.select].operands[0]);
        let [yes, no] = match self.is_taken_if {
            true => [counter, carried[at]],
            false => [carried[at], counter],
        };
        yielded[at] = select(&mut b, condition, yes, no);
        let mut results = close(&mut b, new, &yielded);
        results[at] = b.unary(self.cast, &[results[at]], ty);
        body.replace_op(old.0, &results);
    }
}

/// Whether a number survives the cast to an index of 32 bits and back.
fn comes_back(ctx: &Context, body: &Body, cast: OpName, number: Value) -> bool {
    let is_signed = cast == arith::INDEX_CAST;
    let least = if is_signed { i64::from(i32::MIN) } else { 0 };
    let is_narrow = matches!(
        body.ty(number).kind(ctx),
        TypeKind::Integer { width: ..=32, .. }
    );
    let constant = arith::constant_int(ctx, body, number);
    is_signed && is_narrow || constant.is_some_and(|n| (least..=i64::from(i32::MAX)).contains(&n))
}
