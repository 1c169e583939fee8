//! Argmin and argmax: loops that carry an extremum and the values selected together with it, such
//! as its index.
//!
//! ```text
//! %r:2 = affine.for %i = 0 to %n iter_args(%m = %least, %k = %none) -> (f32, index) {
//!   %x = affine.load %a[%i]
//!   %c = arith.cmpf ogt, %x, %m             // the only comparison of %m
//!   %y = arith.select %c, %x, %m            // or arith.maximumf %x, %m
//!   %l = arith.select %c, %i, %k            // one for each value taken along
//!   affine.yield %y, %l
//! }
//! ```
//!
//! A candidate `x` is taken where it compares better than the best so far. With a
//! strict comparison the first of equal candidates stays, else the last one does:
//! the best of two parts is the better one, of equal ones that of the earlier, or later,
//! iteration. So no rounding is regrouped, and the bits are those of the loop, those of a
//! zero's sign included. An ordered comparison takes no NaN, and nothing instead of one
//! that the loop starts from.
//!
//! The extremum may be computed beside the comparison. `maxnumf` and `minnumf` differ
//! from what is taken in the sign of zeros, and where they start from NaN; `maximumf` and
//! `minimumf` go on with the first NaN, behind which nothing is taken: parts of
//! the iterations are then combined in their order, with what was best before NaN.
//!
//! The analysis rejects unordered comparisons of floats, which take NaN and whatever follows it,
//! and loops where another operation uses the carried values.

pub mod compare_select;
mod predicate;

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, select};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::body::Uses;
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::{Attr, BlockId, Body, Builder, Context, OpId, OpName, Type, Value};

use self::predicate::{Predicate, taken_if};
use super::record_reduction::{RecordReduction, record_reductions_of};
use super::reduction::{
    Reduction, Refusal, float_attr, int_attr, neutral_element, reduction_at, reduction_nest,
};

/// Strict order of candidates: `x` is better than `y` if this comparison holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Better {
    /// `cmpf ogt` or `oge`.
    Greater,
    /// `cmpf olt` or `ole`.
    Less,
    /// `cmpi sgt` or `sge`.
    SignedGreater,
    /// `cmpi slt` or `sle`.
    SignedLess,
    /// `cmpi ugt` or `uge`.
    UnsignedGreater,
    /// `cmpi ult` or `ule`.
    UnsignedLess,
}

/// Tie-breaking rule: which of equal candidates wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The candidate of the first iteration: the comparison is strict.
    First,
    /// The candidate of the last iteration.
    Last,
}

/// Argmin or argmax of a loop: a carried extremum and the carried values selected together with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgReduction {
    /// Position of the extremum among the carried values.
    pub extremum: usize,
    /// Positions of the values selected together with the extremum.
    pub taken: Vec<usize>,
    /// The comparison.
    pub better: Better,
    /// Tie-breaking rule among equal candidates.
    pub ties: Ties,
    /// The operation that computes the extremum, where that is not a select.
    pub computed: Option<OpName>,
    /// The type of the extremum.
    pub ty: Type,
    /// Neutral element: a value of the extremum's type that no candidate is worse than.
    pub neutral: Attr,
    /// The condition of the selects, and whether the candidate is taken where it holds.
    pub condition: (Value, bool),
    /// The candidate.
    pub candidate: Value,
    /// The one of `taken` that is the counter of the comparing loop, if any.
    pub counter: Option<usize>,
}

impl ArgReduction {
    /// Whether partial results have to be combined in iteration order.
    pub fn is_in_order(&self) -> bool {
        matches!(self.computed, Some(arith::MAXIMUMF | arith::MINIMUMF))
    }

    /// `argmax` or `argmin`, as users call it; without values taken along `max` or `min`.
    pub fn name(&self) -> &'static str {
        let is_greatest = matches!(
            self.better,
            Better::Greater | Better::SignedGreater | Better::UnsignedGreater
        );
        match (is_greatest, self.taken.is_empty()) {
            (true, false) => "argmax",
            (true, true) => "max",
            (false, false) => "argmin",
            (false, true) => "min",
        }
    }

    /// Emits the test that `candidate` is strictly better than `best`.
    pub fn is_better(&self, b: &mut Builder, candidate: Value, best: Value) -> Value {
        Predicate::of_order(self.better, Ties::First).compare(b, candidate, best)
    }

    /// Emits the test that neither of two values is better and none is NaN.
    pub fn is_equal(&self, b: &mut Builder, x: Value, y: Value) -> Value {
        match self.better {
            Better::Greater | Better::Less => CmpFOp::create(b, CmpFPredicate::Oeq, x, y),
            _ => CmpIOp::create(b, CmpIPredicate::Eq, x, y),
        }
    }

    /// Emits the extremum of two partial results: `right` where `take` holds, else `left`.
    pub fn combined(&self, b: &mut Builder, take: Value, right: Value, left: Value) -> Value {
        match self.computed {
            Some(name) => b.binary(name, right, left),
            None => select(b, take, right, left),
        }
    }
}

/// Reductions of a loop, by kind.
#[derive(Clone, Default, Debug)]
pub struct Reductions {
    /// Ordinary reductions: values that are each combined on their own, by position.
    pub alone: Vec<(usize, Reduction)>,
    /// Argmin and argmax reductions, which combine several carried values at once.
    pub args: Vec<ArgReduction>,
    /// Other reductions of several carried values, which insert records into the state.
    pub records: Vec<RecordReduction>,
}

impl Reductions {
    /// Returns the operators' names for users, in the order of the carried values.
    pub fn names(&self) -> Vec<&'static str> {
        let alone = (self.alone.iter()).map(|(at, reduction)| {
            let row = gridloom_dialects::signature(reduction.combine);
            (*at, row.map_or("arith", |row| row.name))
        });
        let args = (self.args.iter()).map(|arg| (arg.extremum, arg.name()));
        let records = (self.records.iter()).map(|one| (one.slots[0], "insertion of records"));
        let mut all: Vec<(usize, &str)> = alone.chain(args).chain(records).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, name)| name).collect()
    }
}

/// All reductions of a loop, argmin and argmax among them. Floats are regrouped with
/// `reassociate`, or where their operations have the flag.
///
/// # Errors
/// A value that is carried otherwise, or whose order has to stay.
pub fn all_reductions_of(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    op: ForOp,
    reassociate: bool,
) -> Result<Reductions, Refusal> {
    let mut found = Reductions {
        args: arg_reductions_of(ctx, body, uses, op),
        ..Reductions::default()
    };
    let is_known = |args: &[ArgReduction], position: usize| {
        (args.iter()).any(|arg| arg.extremum == position || arg.taken.contains(&position))
    };
    let count = op.iter_args(body).len();
    let mut others = Vec::new();
    let mut refusal = None;
    for position in (0..count).filter(|&position| !is_known(&found.args, position)) {
        match reduction_at(ctx, body, uses, op, position, reassociate) {
            Ok(reduction) => found.alone.push((position, reduction)),
            Err(why) => {
                others.push(position);
                refusal = refusal.or(Some(why));
            }
        }
    }
    if let Some(refusal) = refusal {
        let records = record_reductions_of(ctx, body, uses, op, &others, reassociate);
        found.records = records.map_err(|why| match why {
            Refusal::Unknown => refusal,
            Refusal::KeepsOrder(_) => why,
        })?;
    }
    Ok(found)
}

/// The argmin and argmax reductions of a loop.
pub fn arg_reductions_of(ctx: &Context, body: &Body, uses: &Uses, op: ForOp) -> Vec<ArgReduction> {
    let count = op.iter_args(body).len();
    let mut found: Vec<ArgReduction> = Vec::new();
    let mut is_known = vec![false; count];
    let nest = reduction_nest(ctx, body, op);
    let finder = Finder {
        ctx,
        body,
        uses,
        inner: nest[nest.len() - 1],
        inits: op.inits(ctx, body),
    };
    // Outer loops of the nest only pass the value on.
    let is_handed_on = |position: usize| {
        nest.windows(2).all(|pair| {
            let arg = pair[0].iter_args(body)[position];
            only_used_by(uses, arg, |user, _| user == pair[1].0) && uses.of(arg).len() == 1
        })
    };
    for position in 0..count {
        let Some(arg) = finder.arg_reduction(position) else {
            continue;
        };
        let members = || arg.taken.iter().copied().chain([position]);
        if !members().all(|at| !is_known[at] && is_handed_on(at)) {
            continue;
        }
        members().for_each(|at| is_known[at] = true);
        found.push(arg);
    }
    found
}

/// Matcher for argmin and argmax in the innermost loop of a nest of reductions.
struct Finder<'a> {
    ctx: &'a Context,
    body: &'a Body,
    uses: &'a Uses,
    inner: ForOp,
    /// Initial values of the nest.
    inits: &'a [Value],
}

impl Finder<'_> {
    /// Matches the argmin or argmax whose extremum is the carried value at position `extremum`.
    fn arg_reduction(&self, extremum: usize) -> Option<ArgReduction> {
        let (ctx, body) = (self.ctx, self.body);
        let (args, block) = (self.inner.iter_args(body), self.inner.block(body));
        let (best, next) = (args[extremum], self.inner.yielded(body)[extremum]);
        let ty = body.ty(best);
        let update = body.defining_op(next)?;
        let compare = self.only_comparison(best, update, block)?;
        let (predicate, candidate) = Predicate::of(ctx, body, compare, best)?;
        let condition = body[compare].result(0);
        let (is_taken_if, computed) = match body[update].name {
            arith::SELECT => {
                let is_taken_if = taken_if(body, update, condition, best)?;
                let arm = body[update].operands[if is_taken_if { 1 } else { 2 }];
                (is_taken_if, (arm == candidate).then_some(None)?)
            }
            name => {
                let [x, y] = body[update].operands[..] else {
                    return None;
                };
                let is_pair = [x, y] == [candidate, best] || [x, y] == [best, candidate];
                (true, is_pair.then_some(Some(name))?)
            }
        };
        let taken = self.taken_along(compare, update, is_taken_if)?;
        // An ordered comparison that fails is an unordered one that holds.
        let predicate = if is_taken_if {
            predicate
        } else {
            predicate.inverse()
        };
        let (better, ties) = predicate.order()?;
        if computed.is_some()
            && (taken.is_empty() || !self.agrees(extremum, computed, better, ties))
        {
            return None;
        }
        if !only_used_by(self.uses, next, |user, operand| {
            body[user].parent() == Some(block) && is_end(body, block, user) && operand == extremum
        }) {
            return None;
        }
        // Selects compute the extrema of integers, which have neither NaN nor zeros of two kinds.
        let computed = computed.filter(|_| ty.float_kind(ctx).is_some());
        let counter = self.inner.induction_var(body);
        let counter = taken.iter().find(|&&(_, value)| value == counter);
        Some(ArgReduction {
            extremum,
            counter: counter.map(|&(at, _)| at),
            taken: taken.iter().map(|&(at, _)| at).collect(),
            better,
            ties,
            computed,
            ty,
            neutral: neutral(ctx, better, ty)?,
            condition: (condition, is_taken_if),
            candidate,
        })
    }

    /// The comparison that, besides `update`, is the only user of the best value so far.
    fn only_comparison(&self, best: Value, update: OpId, block: BlockId) -> Option<OpId> {
        let body = self.body;
        let mut users = self.uses.of(best).iter().map(|user| user.op);
        let compare = users.find(|&op| op != update)?;
        let is_one = matches!(body[compare].name, arith::CMPF | arith::CMPI);
        let is_here = [compare, update]
            .iter()
            .all(|&op| body[op].parent() == Some(block));
        let mut users = self.uses.of(best).iter().map(|user| user.op);
        let is_all = users.all(|op| op == update || op == compare);
        (is_one && is_here && is_all).then_some(compare)
    }

    /// Selects under the same condition: the carried values that they update, each with the value
    /// it takes; `None` if the condition has a user of another kind.
    fn taken_along(
        &self,
        compare: OpId,
        update: OpId,
        is_taken_if: bool,
    ) -> Option<Vec<(usize, Value)>> {
        let body = self.body;
        let (args, yielded) = (self.inner.iter_args(body), self.inner.yielded(body));
        let (condition, block) = (body[compare].result(0), self.inner.block(body));
        let mut taken = Vec::new();
        for user in self.uses.of(condition) {
            if user.op == update {
                continue;
            }
            let next = (body[user.op].name == arith::SELECT).then(|| body[user.op].result(0))?;
            let at = yielded.iter().position(|&value| value == next)?;
            let carried = args[at];
            let is_alike = taken_if(body, user.op, condition, carried)? == is_taken_if;
            let ends = only_used_by(self.uses, next, |user, operand| {
                is_end(body, block, user) && operand == at
            });
            let is_only = only_used_by(self.uses, carried, |other, _| other == user.op);
            let is_scalar = placeholder(self.ctx, body.ty(next)).is_some();
            if !is_alike || !ends || !is_only || !is_scalar {
                return None;
            }
            let operands = &body[user.op].operands;
            taken.push((at, operands[if is_taken_if { 1 } else { 2 }]));
        }
        Some(taken)
    }

    /// Whether the operation that computes the extremum agrees with the comparison.
    fn agrees(&self, extremum: usize, name: Option<OpName>, better: Better, ties: Ties) -> bool {
        match (name, better) {
            (Some(arith::MAXSI), Better::SignedGreater)
            | (Some(arith::MINSI), Better::SignedLess)
            | (Some(arith::MAXUI), Better::UnsignedGreater)
            | (Some(arith::MINUI), Better::UnsignedLess) => true,
            // With ties to the last, a partial result without a candidate cannot be told from one
            // that found the neutral element.
            (Some(arith::MAXIMUMF), Better::Greater) | (Some(arith::MINIMUMF), Better::Less) => {
                ties == Ties::First
            }
            (Some(arith::MAXNUMF), Better::Greater) | (Some(arith::MINNUMF), Better::Less) => {
                self.starts_from_number(extremum)
            }
            _ => false,
        }
    }

    /// Whether the initial value at `position` is a constant other than NaN.
    fn starts_from_number(&self, position: usize) -> bool {
        let constant = arith::constant_value(self.ctx, self.body, self.inits[position]);
        constant.is_some_and(|attr| match attr.kind(self.ctx) {
            AttrKind::Float { ty, bits } => ty
                .float_kind(self.ctx)
                .and_then(FloatFormat::of)
                .is_some_and(|format| !format.kind.to_f64(*bits as u64).is_nan()),
            _ => false,
        })
    }
}

/// Whether every use of a value, given as user and operand number, satisfies `is_one`.
fn only_used_by(uses: &Uses, value: Value, is_one: impl Fn(OpId, usize) -> bool) -> bool {
    let mut users = uses.of(value).iter();
    users.all(|user| is_one(user.op, user.operand as usize))
}

/// Whether an operation is the terminator of a block.
fn is_end(body: &Body, block: BlockId, op: OpId) -> bool {
    body[block].last() == Some(op)
}

/// Neutral element of an extremum: the value that no candidate is worse than.
fn neutral(ctx: &Context, better: Better, ty: Type) -> Option<Attr> {
    let of_maximum = match better {
        Better::Greater => arith::MAXIMUMF,
        Better::Less => arith::MINIMUMF,
        Better::SignedGreater => arith::MAXSI,
        Better::SignedLess => arith::MINSI,
        Better::UnsignedGreater => arith::MAXUI,
        Better::UnsignedLess => arith::MINUI,
    };
    neutral_element(ctx, of_maximum, ty)
}

/// Placeholder: a constant of a scalar type for selected values before any candidate was taken.
pub fn placeholder(ctx: &Context, ty: Type) -> Option<Attr> {
    int_attr(ctx, ty, 0).or_else(|| float_attr(ctx, ty, 0.0))
}
