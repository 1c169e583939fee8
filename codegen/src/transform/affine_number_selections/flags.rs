//! Carried flags: turns a value that branches of a loop's iterations set, all to the same, into a disjunction.
//!
//! ```text
//! %r = affine.for %i = 0 to %n               %s = affine.for %i = 0 to %n
//!     iter_args(%f = %old) {                     iter_args(%any = %c0) {
//!   %g = scf.if %hit {                         %g = scf.if %hit {
//!     scf.yield %set                     ⇒       %o = arith.ori %any, %c1
//!   } else {                                     scf.yield %o
//!     scf.yield %f                             } else {
//!   }                                            scf.yield %any
//!   affine.yield %g                            }
//! }                                            affine.yield %g
//!                                            }
//!                                            %t = arith.cmpi ne, %s, %c0
//!                                            %r = arith.select %t, %set, %old
//! ```
//!
//! Whichever iterations set the value, and in whatever order, it is `%set` behind the loop if one did, and what it was
//! before if none did. The flag is followed through conditionals, selects and the loops inside that carry it on; the
//! disjunction is a [reduction](crate::analysis::reduction).
//!
//! Legal where `%set` is a constant, or computed in front of the loop, and nothing else uses the carried value, or one
//! on its way to the end of the iteration. It is done where all other values that the loop carries are reductions or
//! flags.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, select};
use gridloom_dialects::scf;
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::rewrite::in_front;
use crate::analysis::reduction::{int_attr, reduction_at};

/// Depth limit of the conditionals and loops through which a flag is followed.
const MAX_DEPTH: usize = 16;

/// Limit of the operands through which one flag passes.
const MAX_STEPS: usize = 256;

/// Operand of an operation, by number.
type Slot = (OpId, usize);

/// Carried flag.
pub(super) struct Flag {
    op: ForOp,
    /// Position among the carried values.
    at: usize,
    /// The value that branches set.
    set: Value,
    /// Operands that set it, each with the value that the flag has otherwise.
    settings: Vec<(Slot, Value)>,
    /// The carried value, and those that take its place on the way to the end of an iteration.
    states: Vec<Value>,
}

/// The first of the values that a loop carries that is a flag.
pub(super) fn flag_of(ctx: &Context, body: &Body, uses: &Uses, op: ForOp) -> Option<Flag> {
    let count = op.iter_args(body).len();
    let is_reduction = |at: usize| reduction_at(ctx, body, uses, op, at, true).is_ok();
    let mut others: Vec<usize> = (0..count).filter(|&at| !is_reduction(at)).collect();
    let mut flags: Vec<Flag> = Vec::new();
    others.retain(|&at| match Finder::new(ctx, body, op).flag(uses, at) {
        Some(flag) => {
            flags.push(flag);
            false
        }
        None => true,
    });
    flags.into_iter().next().filter(|_| others.is_empty())
}

/// Search for the operands through which a flag passes.
struct Finder<'a> {
    ctx: &'a Context,
    body: &'a Body,
    op: ForOp,
    set: Option<Value>,
    settings: Vec<(Slot, Value)>,
    /// The carried value and those made of it, each with the one that it is made of.
    states: Vec<(Value, Option<Value>)>,
    /// Operands that pass the flag on.
    passes: Vec<Slot>,
}

/// Contents of an operand on the flag's way.
enum Held {
    /// The value to set.
    Set,
    /// This state, or the value to set.
    State(Value),
}

impl<'a> Finder<'a> {
    fn new(ctx: &'a Context, body: &'a Body, op: ForOp) -> Self {
        Finder {
            ctx,
            body,
            op,
            set: None,
            settings: Vec::new(),
            states: Vec::new(),
            passes: Vec::new(),
        }
    }

    fn flag(mut self, uses: &Uses, at: usize) -> Option<Flag> {
        let (body, op) = (self.body, self.op);
        let carried = op.iter_args(body)[at];
        self.states.push((carried, None));
        let end = body[op.block(body)].last()?;
        self.passes_on((end, at), carried, 0)?;
        let is_own = |&(state, _): &(Value, _)| {
            let mut users = uses.of(state).iter();
            users.all(|user| self.passes.contains(&(user.op, user.operand as usize)))
        };
        let is_flag = self.states.iter().all(is_own);
        // What every iteration sets needs no loop.
        let is_conditional = self.settings.iter().all(|(slot, _)| *slot != (end, at));
        let set = self.set.filter(|_| is_flag && is_conditional)?;
        Some(Flag {
            op,
            at,
            set,
            settings: self.settings,
            states: self.states.into_iter().map(|(state, _)| state).collect(),
        })
    }

    /// Whether an operand holds `carried`, or the value to set.
    fn passes_on(&mut self, slot: Slot, carried: Value, depth: usize) -> Option<()> {
        match self.held(slot, depth)? {
            Held::Set => self.settings.push((slot, carried)),
            Held::State(state) => return self.made_of(state, |of| of == carried).map(drop),
        }
        Some(())
    }

    /// The contents of an operand; `None` where it holds no flag.
    fn held(&mut self, slot: Slot, depth: usize) -> Option<Held> {
        let (ctx, body) = (self.ctx, self.body);
        if depth > MAX_DEPTH || self.passes.len() + self.settings.len() > MAX_STEPS {
            return None;
        }
        let value = *body[slot.0].operands.get(slot.1)?;
        let constant = arith::constant_value(ctx, body, value);
        if constant.is_some() || !body.is_defined_in(value, self.op.0) {
            let set = *self.set.get_or_insert(value);
            let is_same = set == value
                || constant.is_some() && arith::constant_value(ctx, body, set) == constant;
            return is_same.then_some(Held::Set);
        }
        self.passes.push(slot);
        if self.states.iter().any(|&(state, _)| state == value) {
            return Some(Held::State(value));
        }
        let op = body.defining_op(value)?;
        let position = body[op].results().position(|result| result == value)?;
        let state = match body[op].name {
            arith::SELECT => self.either([(op, 1), (op, 2)], op, depth)?,
            scf::IF | affine::IF => {
                let ends = [0, 1].map(|region| body[body.region_block(op, region)?].last());
                let [Some(yes), Some(no)] = ends else {
                    return None;
                };
                self.either([(yes, position), (no, position)], op, depth)?
            }
            affine::FOR => {
                let inner = ForOp(op);
                let first = body[op].operands.len() - inner.inits(ctx, body).len();
                let Held::State(state) = self.held((op, first + position), depth + 1)? else {
                    return None;
                };
                let arg = *inner.iter_args(body).get(position)?;
                self.states.push((arg, None));
                let end = body[inner.block(body)].last()?;
                self.passes_on((end, position), arg, depth + 1)?;
                state
            }
            _ => return None,
        };
        self.states.push((value, Some(state)));
        Some(Held::State(value))
    }

    /// The first state that fulfils a condition, of one and those that it is made of.
    fn made_of(&self, state: Value, is_wanted: impl Fn(Value) -> bool) -> Option<Value> {
        let before = |&state: &Value| {
            let mut states = self.states.iter();
            states.find(|&&(known, _)| known == state)?.1
        };
        let mut chain = std::iter::successors(Some(state), before);
        chain.find(|&state| is_wanted(state))
    }

    /// The state that one of two operands holds, or is made of; the other one holds the same, or sets the flag.
    /// It is defined in front of `op`, so that a branch of that can combine it.
    fn either(&mut self, slots: [Slot; 2], op: OpId, depth: usize) -> Option<Value> {
        let mut held = Vec::new();
        for slot in slots {
            held.push(match self.held(slot, depth + 1)? {
                Held::Set => None,
                Held::State(state) => {
                    let is_in_front = |state| !self.body.is_defined_in(state, op);
                    Some(self.made_of(state, is_in_front)?)
                }
            });
        }
        let state = match held[..] {
            [Some(yes), Some(no)] => return (yes == no).then_some(yes),
            [Some(state), None] | [None, Some(state)] => state,
            _ => return None,
        };
        let set = slots[usize::from(held[0].is_some())];
        self.settings.push((set, state));
        Some(state)
    }
}

impl Flag {
    /// Carries the disjunction in place of the value.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let ty = ctx.int_type(32);
        let (Some(zero), Some(one)) = (int_attr(ctx, ty, 0), int_attr(ctx, ty, 1)) else {
            return;
        };
        let (op, at) = (self.op, self.at);
        let old = op.inits(ctx, body)[at];
        let first = body[op.0].operands.len() - op.inits(ctx, body).len();
        let result = body[op.0].result(at);
        let mut b = Builder::before(ctx, body, op.0);
        let (zero, one) = (b.constant(zero, ty), b.constant(one, ty));
        let set = in_front(&mut b, op, self.set);
        body[op.0].operands[first + at] = zero;
        // First, since a disjunction has the type of its state.
        for &state in self.states.iter().chain([&result]) {
            body.set_type(state, ty);
        }
        for &((user, operand), state) in &self.settings {
            let mut b = Builder::before(ctx, body, user);
            let next = b.binary(arith::ORI, state, one);
            body[user].operands[operand] = next;
        }
        let Some(behind) = body[op.0].next() else {
            return;
        };
        let mut b = Builder::before(ctx, body, behind);
        let is_set = CmpIOp::create(&mut b, CmpIPredicate::Ne, result, zero);
        let new = select(&mut b, is_set, set, old);
        let test = b.body.defining_op(is_set);
        body.replace_uses(result, new);
        if let Some(test) = test {
            body[test].operands[0] = result;
        }
    }
}
