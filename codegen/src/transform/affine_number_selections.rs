//! `affine-number-selections`: gives values that a loop takes from its first, or last, iteration where a condition
//! holds the number of that iteration, with which they are an argmin, or argmax.
//!
//! ```text
//! %r = affine.for %i = 0 to %n               %u = arith.cmpi slt, %none, %c0
//!     iter_args(%p = %none) {                %m, %r = affine.for %i = 0 to %n
//!   %u = arith.cmpi slt, %p, %c0                 iter_args(%best = %never, %p = %none) {
//!   %c = arith.andi %u, %hit           ⇒       %c = arith.andi %hit, %u
//!   %q = arith.select %c, %i, %p               %k = arith.select %c, %i, %never
//!   affine.yield %q                            %b = arith.cmpi slt, %k, %best
//! }                                            %l = arith.select %b, %k, %best
//!                                              %q = arith.select %b, %i, %p
//!                                              affine.yield %l, %q
//!                                            }
//! ```
//!
//! A value that is taken whenever a condition holds comes from the last such iteration. One that is taken only
//! while a carried value is still unset comes from the first: what is taken is never unset, so that this value is
//! unset where it was so before the loop and no iteration has taken anything. Counters ascend, and none is the
//! number `%never`; so the rewritten loop takes what the loop took, in whatever order its parts are combined
//! ([`arg_reduction`](crate::analysis::arg_reduction)).
//!
//! A value that branches set to the same in whichever iteration needs no number ([`flags`]).
//!
//! Legal where nothing else uses the carried values, and where intervals prove of tests that what is taken fails
//! them. It is done where all other values that the loop carries are reductions.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Context, Module, OpId, Value};

use self::flags::{Flag, flag_of};
use super::plans::{Plans, change_by_plans};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::interval::Interval;
use crate::analysis::reduction::reduction_at;

mod flags;
mod rewrite;

/// Limit of the loops that are rewritten in a function, one after the other, since one may use what another gives.
const MAX_LOOPS: usize = 32;

/// Limit of the operations that select one value and make its condition.
const MAX_STEPS: usize = 32;

/// Rewrites the selections in the host functions of a module. Returns whether there was one.
pub fn number_selections(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        MAX_LOOPS,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| match plan {
            Change::Flag(flag) => flag.apply(ctx, body),
            Change::Numbers(numbering) => numbering.apply(ctx, body),
        },
    )
}

/// Plan of one loop.
enum Change {
    Flag(Flag),
    Numbers(Numbering),
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Change> {
    let may_select = [arith::SELECT, scf::IF, affine::IF];
    if !may_select.iter().any(|&name| body.may_hold(name)) {
        return (Vec::new(), false);
    }
    let uses = body.uses();
    let mut deps = Dependences::new(ctx, body, globals);
    let loops = body.walk().into_iter();
    let loops = loops.filter_map(|op| ForOp::cast(body, op));
    let mut carrying = loops.filter(|op| body[op.0].num_results() > 0);
    let first = carrying.find_map(|op| {
        let flag = flag_of(ctx, body, &uses, op).map(Change::Flag);
        flag.or_else(|| plan_loop(&mut deps, &uses, op).map(Change::Numbers))
    });
    (first.into_iter().collect(), false)
}

/// Selections of one loop that get numbers.
struct Numbering {
    op: ForOp,
    groups: Vec<Group>,
}

/// Carried values that the same iterations replace.
struct Group {
    /// Positions among the carried values, each with the value taken; flags take `true`.
    members: Vec<(usize, Option<Value>)>,
    /// The condition: all of these, each with the value that it has to have.
    conditions: Vec<Term>,
    /// Tests that a member is still unset, by the member's position. The first iteration is taken
    /// where there is one, else the last.
    tests: Vec<(OpId, usize)>,
    /// Operations that the rewrite leaves unused.
    old: Vec<OpId>,
}

/// A condition, and the value that it has to have.
type Term = (Value, bool);

/// Selections that make a carried value.
struct Selection {
    at: usize,
    value: Option<Value>,
    terms: Vec<Term>,
    ops: Vec<OpId>,
}

fn plan_loop(deps: &mut Dependences, uses: &Uses, op: ForOp) -> Option<Numbering> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let count = op.iter_args(body).len();
    let finder = Finder {
        ctx,
        body,
        uses,
        op,
    };
    let found: Vec<Selection> = (0..count).filter_map(|at| finder.selection(at)).collect();
    let (mut groups, mut flags) = (Vec::<(Vec<Selection>, Vec<Term>)>::new(), Vec::new());
    for one in found {
        if one.value.is_none() {
            flags.push(one);
            continue;
        }
        let terms = one.terms.clone();
        match groups.iter_mut().find(|(_, known)| are_same(known, &terms)) {
            Some((members, _)) => members.push(one),
            None => groups.push((vec![one], terms)),
        }
    }
    let mut planned = Vec::new();
    for (mut members, terms) in groups {
        let (tests, conditions): (Vec<_>, Vec<_>) =
            (terms.into_iter()).partition(|&term| finder.test(term).is_some());
        let tests: Vec<(OpId, usize)> =
            (tests.into_iter().filter_map(|term| finder.test(term))).collect();
        // `flag | hit`, where members are taken if `!flag & hit`.
        let is_own = |flag: &Selection| {
            tests.iter().any(|&(_, at)| at == flag.at) && are_same(&flag.terms, &conditions)
        };
        while let Some(place) = flags.iter().position(is_own) {
            members.push(flags.swap_remove(place));
        }
        planned.extend(group(deps, &finder, members, conditions, tests));
    }
    let is_planned = |at: usize| {
        let mut members = planned.iter().flat_map(|group: &Group| &group.members);
        members.any(|&(member, _)| member == at)
    };
    let others_reduce = (0..count)
        .filter(|&at| !is_planned(at))
        .all(|at| reduction_at(ctx, body, uses, op, at, true).is_ok());
    (!planned.is_empty() && others_reduce).then_some(Numbering {
        op,
        groups: planned,
    })
}

/// Checks a group: only its own operations use its members, and what is taken fails its tests.
fn group(
    deps: &mut Dependences,
    finder: &Finder<'_>,
    members: Vec<Selection>,
    conditions: Vec<Term>,
    tests: Vec<(OpId, usize)>,
) -> Option<Group> {
    let body = finder.body;
    let mut old: Vec<OpId> = members
        .iter()
        .flat_map(|member| member.ops.iter().copied())
        .collect();
    old.extend(tests.iter().map(|&(test, _)| test));
    let args = finder.op.iter_args(body);
    let is_own_use = |value: Value| {
        let mut users = finder.uses.of(value).iter();
        users.all(|user| old.contains(&user.op))
    };
    // A conjunction that holds no test may have other users.
    let holds_test = |op: OpId| {
        let terms = finder.terms((body[op].result(0), true), &mut Vec::new());
        terms.is_some_and(|terms| terms.iter().any(|&term| finder.test(term).is_some()))
    };
    let are_own = members.iter().all(|member| is_own_use(args[member.at]))
        && old.iter().all(|&op| {
            let is_condition = matches!(body[op].name, arith::ANDI | arith::CMPI | arith::XORI);
            !is_condition || !holds_test(op) || is_own_use(body[op].result(0))
        });
    let taken = |at: usize| members.iter().find(|member| member.at == at);
    let are_set = tests.iter().all(|&(test, at)| {
        taken(at).is_some_and(|member| match member.value {
            Some(value) => fails(deps, test, args[at], value),
            // A flag is set by what it is combined with.
            None => body[test].name == arith::XORI,
        })
    });
    (are_own && are_set).then(|| Group {
        members: (members.iter())
            .map(|member| (member.at, member.value))
            .collect(),
        conditions,
        tests,
        old,
    })
}

fn are_same(left: &[Term], right: &[Term]) -> bool {
    left.iter().all(|term| right.contains(term)) && right.iter().all(|term| left.contains(term))
}

/// Whether a test of `carried` is proved to fail for `value`.
fn fails(deps: &mut Dependences, test: OpId, carried: Value, value: Value) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if body[test].name == arith::XORI {
        return arith::constant_int(ctx, body, value).is_some_and(|number| number != 0);
    }
    let [left, right] = body[test].operands[..] else {
        return false;
    };
    let predicate = CmpIOp(test).predicate(ctx, body);
    let (predicate, limit) = match left == carried {
        true => (predicate, right),
        false => (predicate.mirrored(), left),
    };
    let of = |deps: &mut Dependences, value: Value| match arith::constant_int(ctx, body, value) {
        Some(number) => Interval::point(number.into()),
        None => deps.values.integer_interval(value),
    };
    let (value, limit) = (of(deps, value), of(deps, limit));
    match predicate {
        CmpIPredicate::Slt => value.least >= limit.most,
        CmpIPredicate::Sle => value.least > limit.most,
        CmpIPredicate::Sgt => value.most <= limit.least,
        CmpIPredicate::Sge => value.most < limit.least,
        CmpIPredicate::Eq => value.least > limit.most || value.most < limit.least,
        _ => false,
    }
}

struct Finder<'a> {
    ctx: &'a Context,
    body: &'a Body,
    uses: &'a Uses,
    op: ForOp,
}

impl Finder<'_> {
    /// Matches selects that replace the carried value at a position, one in the other, or `carried | hit`, which
    /// takes no value yet.
    fn selection(&self, at: usize) -> Option<Selection> {
        let body = self.body;
        let (carried, mut next) = (self.op.iter_args(body)[at], self.op.yielded(body)[at]);
        let (mut ops, mut terms) = (Vec::new(), Vec::new());
        let is_flag =
            |op: OpId| body[op].name == arith::ORI && body.ty(carried) == self.ctx.bool_type();
        if let Some(op) = self.own(next).filter(|&op| is_flag(op)) {
            let [left, right] = body[op].operands[..] else {
                return None;
            };
            let hit = match (left == carried, right == carried) {
                (true, false) => right,
                (false, true) => left,
                _ => return None,
            };
            let terms = self.terms((hit, true), &mut Vec::new())?;
            return Some(Selection {
                at,
                value: None,
                terms,
                ops: vec![op],
            });
        }
        while let Some(op) = self.own(next).filter(|&op| body[op].name == arith::SELECT) {
            let &[condition, yes, no] = &body[op].operands[..] else {
                return None;
            };
            if self.uses.of(next).len() != 1 || ops.len() > MAX_STEPS {
                return None;
            }
            let (value, term) = match (yes == carried, no == carried) {
                (false, true) => (yes, (condition, true)),
                (true, false) => (no, (condition, false)),
                _ => break,
            };
            ops.push(op);
            terms.extend(self.terms(term, &mut ops)?);
            next = value;
        }
        (!terms.is_empty() && next != carried).then_some(Selection {
            at,
            value: Some(next),
            terms,
            ops,
        })
    }

    /// The operation of the loop's block that makes a value.
    fn own(&self, value: Value) -> Option<OpId> {
        let op = self.body.defining_op(value)?;
        (self.body[op].parent() == Some(self.op.block(self.body))).then_some(op)
    }

    /// The terms of a condition, which may be a conjunction; `ops` gets the operations that join them.
    fn terms(&self, whole: Term, ops: &mut Vec<OpId>) -> Option<Vec<Term>> {
        let body = self.body;
        let (mut terms, mut open) = (Vec::new(), vec![whole]);
        let mut steps = 0;
        while let Some((value, holds)) = open.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                return None;
            }
            match self.own(value) {
                Some(op) if holds && body[op].name == arith::ANDI => {
                    ops.push(op);
                    open.extend(body[op].operands.iter().map(|&value| (value, true)));
                }
                _ if terms.contains(&(value, holds)) => {}
                _ => terms.push((value, holds)),
            }
        }
        Some(terms)
    }

    /// A term that tests a carried value: its operation, and the value's position.
    fn test(&self, (condition, holds): Term) -> Option<(OpId, usize)> {
        let (ctx, body) = (self.ctx, self.body);
        let op = self.own(condition).filter(|_| holds)?;
        let [left, right] = body[op].operands[..] else {
            return None;
        };
        let args = self.op.iter_args(body);
        let position = |value: Value| args.iter().position(|&arg| arg == value);
        let (at, other) = match (position(left), position(right)) {
            (Some(at), None) => (at, right),
            (None, Some(at)) => (at, left),
            _ => return None,
        };
        let is_bool = body.ty(args[at]) == ctx.bool_type();
        let is_test = match body[op].name {
            arith::CMPI => {
                let is_constant = arith::constant_value(ctx, body, other).is_some();
                !is_bool && (is_constant || !body.is_defined_in(other, self.op.0))
            }
            // The negation of a flag.
            arith::XORI => is_bool && arith::constant_int(ctx, body, other).is_some_and(|n| n != 0),
            _ => false,
        };
        is_test.then_some((op, at))
    }
}
