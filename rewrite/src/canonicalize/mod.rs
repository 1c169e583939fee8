//! `canonicalize`: folds, erases dead code, and rewrites each operation to its canonical
//! form.
//!
//! ```text
//! %c2 = arith.constant 2 : index                affine.for %i = 0 to 6 {
//! %n = arith.muli %c2, %c3 : index       ⇒        %v = affine.load %a[%i + 1]
//! affine.for %i = 0 to %n {                       …
//!   %j = affine.apply (d0) -> (d0 + 1)(%i)      }
//!   %v = affine.load %a[%j]
//!   …
//! }
//! ```
//!
//! - Operations fold ([`gridloom_ir::fold`]). Operations without effect whose
//!   results are unused are erased, and so are allocations that are only written
//!   and freed.
//! - Constants are unique and stand at the head of the function; nested
//!   operations with one constant each merge into one (`arith`, `index`).
//! - Affine bounds, conditions and subscripts compose with `affine.apply` and
//!   with constants, and a dimension that may be a symbol becomes one (`maps`,
//!   `ranges`, `extremum`, `linear`, `relinearize`). Accesses look through casts
//!   that only erase a static size, and a view of a view becomes a view of the
//!   memory (`memory`). Slices take constant operands into their attributes
//!   (`slices`). Tensors follow the rules of memory (`tensor`), and conversions
//!   between the two cancel (`bufferization`).
//! - A known condition leaves one branch, a loop that runs once leaves its body,
//!   and a loop does not carry what no iteration changes (`control`,
//!   `conditions`, `conditionals`, `structured`, `while_loop`, `forall`,
//!   `parallel`).
//! - Control flow between blocks: unreachable blocks are erased, a block merges
//!   into its only predecessor, dominating conditions replace their uses, dead
//!   block arguments are dropped, and `scf.execute_region` is inlined (`branch`,
//!   `blocks`, `dominating_condition`, `liveness`, `region`).
//! - A load from a constant global becomes a constant (`globals`).
//! - Chains of vector operations that only move elements merge into one
//!   (`vector`); group operations on uniform values fold to the value (`device`).
//!
//! Each family of operations lists its rewrites by the operation at their root (`rule_index`); those
//! that a program attaches to its context come before them.
//!
//! The rules are those of `mlir-opt --canonicalize`, as far as they change no
//! bit of a result and no fault; `codegen/tests/canonical/` holds both against each
//! other. Every rule makes the program smaller or moves an operand towards its
//! definition, so the work ends. Always legal.
//!
//! Work is linear in the size of the function: a rewrite costs what it touches, and a
//! rule that needs a walk over the body has one walk a round.

mod arith;
mod blocks;
mod branch;
mod bufferization;
mod build;
mod calls;
mod compare;
mod conditionals;
mod conditions;
mod control;
mod device;
mod dominating_condition;
mod extremum;
mod floats;
mod forall;
mod globals;
mod groups;
mod index;
mod linear;
mod liveness;
mod maps;
mod memory;
mod operands;
mod parallel;
mod ranges;
mod region;
mod relinearize;
mod rule_index;
mod rules;
mod select;
mod slices;
mod structured;
mod tensor;
mod vector;
mod while_loop;

use gridloom_dialects::{arith as a, scf};
use gridloom_ir::fold::{FoldCx, FoldResult, fold};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, Value};

pub use groups::{Groups, groups};
pub use ranges::simplify_in_ranges;
use rule_index::RuleIndex;
pub use rules::{Rule, Rules};

use crate::effects::{Effect, Effects};
use crate::globals::ConstantGlobals;
use crate::rewriter::Rewriter;

/// The bound on rounds. A round computes the effects once, at its start, so an operation
/// that becomes dead in one round is erased in the next; chains of that are short.
const MAX_ROUNDS: usize = 10;

/// The bound on visits of an operation in a round, on average.
const MAX_VISITS: usize = 100;

/// Brings a function body into canonical form, given the constant globals of its module.
/// Returns whether the body changed.
pub fn canonicalize(ctx: &Context, body: &mut Body, globals: &ConstantGlobals) -> bool {
    let mut rewriter = Rewriter::of(ctx, body);
    rewriter.globals = Some(globals);
    let rules = RuleIndex::of(ctx);
    let mut changed = false;
    for _ in 0..MAX_ROUNDS {
        let round = run_round(&mut rewriter, &rules);
        changed |= round.gathered || round.rewrote;
        // Constants are in place now, and all operations have been visited since: another round
        // would find what this one has.
        if !round.rewrote {
            break;
        }
    }
    changed
}

/// Changes that a round made.
struct Round {
    /// Whether constants were moved or merged.
    gathered: bool,
    /// Whether the rules changed anything beyond constants.
    rewrote: bool,
}

fn run_round(rewriter: &mut Rewriter, rules: &RuleIndex) -> Round {
    let order = rewriter.begin_round();
    let effects = Effects::in_order(rewriter.body(), &order);
    rewriter.gather_constants_of(&order);
    let gathered = rewriter.take_changed();
    let is_branch = |&op: &OpId| rewriter.body()[op].name == scf::IF;
    if order.iter().any(is_branch) {
        conditions::propagate(rewriter);
    }
    // No rule undoes another, so the budget is never spent; it bounds the work if two
    // rules ever did.
    let most = MAX_VISITS * (rewriter.body().op_capacity() + MAX_VISITS);
    for _ in 0..most {
        let Some(op) = rewriter.pop() else { break };
        visit(rewriter, rules, &effects, op);
    }
    blocks::simplify(rewriter);
    Round {
        gathered,
        rewrote: rewriter.take_changed(),
    }
}

fn visit(rw: &mut Rewriter, rules: &RuleIndex, effects: &Effects, op: OpId) {
    if is_dead(rw, effects, op) {
        rw.erase(op);
        return;
    }
    if memory::erase_if_only_written(rw, op) || fold_away(rw, op) {
        return;
    }
    constant_to_the_right(rw, op);
    let _ = rules.apply(rw, op);
}

/// Whether an operation is dead: its results are unused and it writes nothing.
fn is_dead(rw: &Rewriter, effects: &Effects, op: OpId) -> bool {
    let data = &rw.body()[op];
    !data.name.has(Traits::TERMINATOR)
        && data.parent().is_some()
        && data.results().all(|result| rw.is_unused(result))
        && (effects.get(op) < Effect::Writes && writes_nothing_inside(rw, effects, op)
            || is_new_and_pure(rw, op))
}

/// Whether no operation nested in this one writes now. The effects of the round's start do not
/// tell: a rule may have moved operations here since.
fn writes_nothing_inside(rw: &Rewriter, effects: &Effects, op: OpId) -> bool {
    let below = match rw.body()[op].inline_regions().is_empty() {
        true => Vec::new(),
        false => rw.body().walk_op(op),
    };
    let mut inner = below.into_iter().filter(|&inner| inner != op);
    inner.all(|inner| effects.get(inner) < Effect::Writes || is_new_and_pure(rw, inner))
}

/// Whether an operation made in this round, or of an added dialect, is pure; [`Effects`] does not
/// know it.
fn is_new_and_pure(rw: &Rewriter, op: OpId) -> bool {
    let data = &rw.body()[op];
    data.name.has(Traits::PURE) && data.inline_regions().is_empty()
}

/// Folds an operation and replaces its results. Returns whether it folded.
fn fold_away(rw: &mut Rewriter, op: OpId) -> bool {
    if rw.body()[op].name.has(Traits::CONSTANT_LIKE) {
        return false;
    }
    let Some(results) = fold(rw.ctx, rw.body(), op) else {
        return false;
    };
    let results = results.into_iter().map(|result| match result {
        FoldResult::Value(value) => value,
        FoldResult::Constant(attr, ty) => rw.constant(attr, ty, op),
    });
    let values: Vec<Value> = results.collect();
    rw.replace_op(op, &values);
    true
}

/// Whether operands may be swapped without any bit of the results changing. Floats may
/// not: the order can decide which NaN results, and which zero `maxnumf` gives.
pub fn is_exactly_commutative(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let is_float = |value: &Value| {
        let ty = body.ty(*value);
        ty.element(ctx).unwrap_or(ty).float_kind(ctx).is_some()
    };
    data.name.has(Traits::COMMUTATIVE) && !data.operands.iter().any(is_float)
}

/// `op(c, x) ⇒ op(x, c)` for a commutative operation. A float may be swapped only where
/// no bit depends on the order: if `c` is no NaN, the result is a NaN only by `x`.
fn constant_to_the_right(rw: &mut Rewriter, op: OpId) {
    let data = &rw.body()[op];
    let &[lhs, rhs] = &data.operands[..] else {
        return;
    };
    if !data.name.has(Traits::COMMUTATIVE) {
        return;
    }
    let cx = rw.look(op);
    let (Some(_), None) = (cx.constant_attr(lhs), cx.constant_attr(rhs)) else {
        return;
    };
    let may_swap = match data.name {
        a::ADDF | a::MULF => is_number(&cx, lhs),
        // The order decides neither which NaN nor which zero results.
        a::MAXIMUMF | a::MINIMUMF | a::MAXNUMF | a::MINNUMF => true,
        _ => is_exactly_commutative(rw.ctx, rw.body(), op),
    };
    if may_swap {
        rw.set_operands(op, &[rhs, lhs]);
    }
}

/// Whether no element of a constant is a NaN.
fn is_number(cx: &FoldCx, value: Value) -> bool {
    let number = cx.float(value).is_some_and(|number| !number.is_nan());
    number
        || cx.constant(value).is_some_and(|constant| {
            let kind = constant.kind;
            let check = |bits| (!kind.to_f64(bits).is_nan()).then_some(bits);
            constant.map(check).is_some()
        })
}
