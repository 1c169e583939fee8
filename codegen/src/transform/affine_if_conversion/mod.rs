//! `affine-if-conversion`: turns a conditional update of a loop's element or carried value into
//! selects.
//!
//! ```text
//! affine.for %i = 0 to %n {                  affine.for %i = 0 to %n {
//!   %x = affine.load %a[%i]                    %x = affine.load %a[%i]
//!   %m = affine.load %best[]                   %m = affine.load %best[]
//!   %c = arith.cmpf ogt, %x, %m                %c = arith.cmpf ogt, %x, %m
//!   scf.if %c {                                %y = arith.select %c, %x, %m
//!     affine.store %x, %best[]           ⇒     affine.store %y, %best[]
//!     affine.store %i, %at[]                   %k = affine.load %at[]
//!   }                                          %l = arith.select %c, %i, %k
//! }                                            affine.store %l, %at[]
//! ```
//!
//! In values: an `scf.if` on a comparison with what the loop carries, which gives that or something
//! else, becomes selects as well, and so does one on a comparison with an element that data chooses,
//! whose result is stored there. Where each iteration compares and replaces an element that it has
//! loaded (`if (t < d[i][j]) d[i][j] = t`), accesses no longer depend on data, and dependences are exact.
//!
//! A conditional that starts a segment of a scan (`s = head[i] ? x[i] : s + x[i]`) becomes a select, and so
//! does one that loads again what it compared (`if (a[i] - 2 > h) h = a[i] - 2`).
//!
//! Elements that are stored in every iteration are values for `affine-scalrep`, and the loop is
//! then a reduction, such as argmax ([`arg_reduction`](crate::analysis::arg_reduction)). One that data
//! chooses is an extremum for `affine-atomic-updates`:
//!
//! ```text
//! %m = memref.load %max[%k]                  %m = memref.load %max[%k]
//! %c = arith.cmpf ogt, %x, %m                %c = arith.cmpf ogt, %x, %m
//! scf.if %c {                         ⇒      %y = arith.select %c, %x, %m
//!   memref.store %x, %max[%k]                memref.store %y, %max[%k]
//! }
//! ```
//!
//! Extrema under a mask are compared in every iteration ([`masked`]).
//!
//! A counter that a branch advances becomes a sum of predicates ([`counter`]), and what else a loop carries from a branch that
//! stores becomes selects ([`carried_results`]); an element that a branch
//! combines with another value becomes a result of the branch ([`update`]), and so does one that a branch stores to
//! ([`kept_store`]), and a store of the same by
//! branches of all iterations a disjunction of their conditions ([`flag`]). A store with which both branches
//! end goes behind them ([`common_stores`](mod@common_stores)), and so does one under a condition of its own with
//! which one of them ends ([`trailing_store`](mod@trailing_store)). A store that the next iteration repeats unless a counter
//! advances is made where it does ([`overwritten_store`]).
//!
//! Legal where the branch computes, loads again what the iteration has loaded, and stores; where no
//! iteration runs beside another; and where each element that is stored is there and holds something
//! whether the condition holds or not: the iteration loads it anyway, a store in front of the loop
//! has written it, or it is an element of an argument by constant subscripts in range, of a function
//! that no parallel loop calls. Nothing may be freed, and nothing called, between that and the loop. It is done where the condition compares
//! such an element, so that the loop is tied anyway; all other conditions stay.

use gridloom_dialects::affine::{ForOp, StoreOp};
use gridloom_dialects::arith::{self, select};
use gridloom_dialects::{affine, cf, func, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, BlockId, Body, Builder, Context, Module, OpId, OpName, Value};

pub(super) mod available_values;
mod carried_results;
pub(super) mod common_stores;
mod counter;
mod counter_choice;
mod extremum;
mod flag;
mod kept_store;
mod masked;
mod nested;
mod overwritten_store;
mod segment;
mod trailing_store;
pub(super) mod update;

use self::available_values::AvailableValues;
use self::carried_results::convert_carried;
use self::common_stores::common_stores;
use self::extremum::Extremum;
use self::overwritten_store::convert_overwritten;
use self::trailing_store::trailing_store;
use self::update::results_of_branches;
use super::element::Element;
use super::loop_invariant_code_motion::is_speculatable;
use crate::analysis::alias::{Globals, separated_from};
use crate::analysis::load_store::{is_load, is_store};
use crate::versions::{Draft, change_functions};

/// Limit of the operations of a branch.
const MAX_OPS: usize = 16;

/// Converts branches in the host functions of a module. Returns whether there was one.
pub fn convert_module(ctx: &Context, module: &mut Module) -> bool {
    // A function that parallel threads call may share its arguments between them.
    let is_called_beside = (module.ops()).any(|(_, op)| {
        let calls = |body: &&Body| body.may_hold(func::CALL);
        op.isolated().filter(calls).is_some_and(|body| {
            let mut all = body.walk().into_iter();
            all.any(|op| body[op].name == func::CALL && is_beside_others(body, op))
        })
    });
    let globals = Globals::of(ctx, module);
    let changed = change_functions(ctx, module, &globals, |body| match may_branch(body) {
        true => convert_branches(ctx, body, &globals, !is_called_beside),
        false => (false, false),
    });
    changed.into_iter().any(|changed| changed)
}

fn may_branch(body: &Body) -> bool {
    [scf::IF, affine::IF, arith::ANDI, arith::ADDI]
        .iter()
        .any(|&name| body.may_hold(name))
}

/// Whether an operation is in a region whose iterations or threads may run in parallel.
pub(super) fn is_beside_others(body: &Body, op: OpId) -> bool {
    let mut around = body.ancestors(op);
    around.any(|op| !is_in_turn(body, op))
}

/// Whether an operation runs its regions sequentially.
fn is_in_turn(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    matches!(
        name,
        affine::FOR | affine::IF | scf::FOR | scf::IF | scf::WHILE
    )
}

/// Converts the branches of a body. Returns whether that relies on disjoint arguments, and whether there
/// was one.
fn convert_branches(
    ctx: &Context,
    body: &mut Draft,
    globals: &Globals,
    has_arguments: bool,
) -> (bool, bool) {
    let (mut relied, mut changed) = (false, false);
    // Inner branches first, so that the others end with their stores.
    for op in body.walk().into_iter().rev() {
        if let Some(plan) = trailing_store(body, op) {
            plan.apply(ctx, body.edit());
            changed = true;
        }
    }
    for op in body.walk().into_iter().rev() {
        if let Some(plan) = common_stores(ctx, body, op) {
            plan.apply(ctx, body.edit());
            changed = true;
        }
    }
    // Conjunctions in order, then inner branches first, so that several masks go one after the other.
    let ops = body.walk();
    let is = |op: OpId, name: OpName| body[op].name == name;
    let conjunctions = ops.iter().copied().filter(|&op| is(op, arith::ANDI));
    let branches = ops.iter().rev().copied().filter(|&op| is(op, scf::IF));
    let ordered: Vec<OpId> = conjunctions.chain(branches).collect();
    for op in ordered {
        let finder = Finder::new(ctx, body, has_arguments);
        if let Some(plan) = finder.masked(op) {
            plan.apply(ctx, body.edit());
            changed = true;
        }
    }
    for op in body.walk() {
        if body[op].name != scf::IF {
            continue;
        }
        let finder = Finder::new(ctx, body, has_arguments);
        if let Some(plan) = finder.stores(op) {
            plan.apply(ctx, body.edit());
            changed = true;
        } else if let Some(plan) = Extremum::of(ctx, body, op) {
            plan.apply(ctx, body.edit());
            changed = true;
        } else if let Some(plan) = finder.values(op) {
            plan.apply(ctx, body.edit());
            changed = true;
        } else if let Some(plan) = finder.nested(op) {
            plan.apply(ctx, body.edit());
            changed = true;
        } else {
            let (relies, has_values) = convert_carried(ctx, body, op, globals, has_arguments);
            relied |= relies;
            changed |= has_values;
        }
    }
    for op in body.walk() {
        let finder = Finder::new(ctx, body, has_arguments);
        if let Some(plan) = finder.flag(op, globals) {
            relied |= plan.relies_on_arguments;
            plan.apply(ctx, body.edit());
            changed = true;
        }
    }
    let (relies, has_results) = results_of_branches(ctx, body, globals, has_arguments);
    (relied, changed) = (relied | relies, changed | has_results);
    let (relies, has_stores) = convert_overwritten(ctx, body, globals);
    (relied | relies, changed | has_stores)
}

/// Branch that stores, to be converted.
struct Stores {
    op: OpId,
    condition: Value,
    /// Operations of the branch without the terminator, in order, each with the available value that it
    /// equals; loads always equal one.
    statements: Vec<(OpId, Option<Value>)>,
}

/// Conditional with results, to be converted.
struct Values {
    op: OpId,
    condition: Value,
    branches: [BlockId; 2],
    /// Loads that repeat an earlier load of the iteration, with the available value.
    again: Vec<(OpId, Value)>,
}

struct Finder<'a> {
    ctx: &'a Context,
    body: &'a Body,
    /// Whether the function's arguments are not accessed concurrently by others.
    has_arguments: bool,
}

impl<'a> Finder<'a> {
    fn new(ctx: &'a Context, body: &'a Body, has_arguments: bool) -> Self {
        Finder {
            ctx,
            body,
            has_arguments,
        }
    }
}

impl Finder<'_> {
    /// Matches a branch that stores loop-invariant elements, and plans its conversion.
    fn stores(&self, op: OpId) -> Option<Stores> {
        let (ctx, body) = (self.ctx, self.body);
        let l = self.loop_around(op)?;
        let block = l.block(body);
        let condition = *body[op].operands.first()?;
        let then = body.region_block(op, 0)?;
        let has_else = body
            .region_block(op, 1)
            .is_some_and(|other| body.ops(other).count() > 1);
        if body[op].num_results() > 0 || has_else || body.ops(then).count() > MAX_OPS {
            return None;
        }
        let mut known = AvailableValues::before(ctx, body, op)?;
        let (mut statements, mut kept) = (Vec::new(), Vec::new());
        for statement in body.ops(then) {
            match body[statement].name {
                scf::YIELD => break,
                affine::STORE => {
                    kept.push(known.element(statement)?);
                    known.forget_loads();
                    statements.push((statement, None));
                }
                affine::LOAD => statements.push((statement, Some(known.same_as(statement)?))),
                name if name.has(Traits::PURE) && body[statement].inline_regions().is_empty() => {
                    statements.push((statement, known.same_as(statement)));
                }
                _ => return None,
            }
        }
        let is_kept_or_own = |element: &Element| {
            known.anyway.contains(element)
                || self.is_kept(l, element) && self.is_written(l, element)
        };
        let is_legal = self.compares(condition, block, &kept)
            && kept.iter().all(is_kept_or_own)
            && self.is_quiet(l.0);
        is_legal.then_some(Stores {
            op,
            condition,
            statements,
        })
    }

    /// Matches a conditional whose results the loop carries, or whose branches load again what the
    /// iteration has loaded, and plans its conversion.
    fn values(&self, op: OpId) -> Option<Values> {
        let body = self.body;
        let l = self.loop_around(op)?;
        let [yes, no] = [body.region_block(op, 0)?, body.region_block(op, 1)?];
        let mut known = AvailableValues::before(self.ctx, body, op)?;
        let mut again = Vec::new();
        let mut is_pure = |block: BlockId| {
            let mut ops = body.ops(block);
            ops.all(|op| {
                let name = body[op].name;
                let is_plain = body[op].inline_regions().is_empty();
                if is_load(body, op) {
                    again.extend(known.same_as(op).map(|value| (op, value)));
                    return again.last().is_some_and(|&(last, _)| last == op);
                }
                let is_computed = is_plain && name.has(Traits::PURE);
                name == scf::YIELD || is_computed && is_speculatable(self.ctx, body, op)
            }) && body.ops(block).count() <= MAX_OPS
        };
        let arms = [yes, no].map(|block| body[block].last().map(|last| &body[last].operands[..]));
        let [Some(yes_values), Some(no_values)] = arms else {
            return None;
        };
        let (args, yielded) = (l.iter_args(body), l.yielded(body));
        let is_carried = body[op].results().enumerate().all(|(k, result)| {
            let at = yielded.iter().position(|&value| value == result);
            at.is_some_and(|at| [yes_values[k], no_values[k]].contains(&args[at]))
        });
        let condition = *body[op].operands.first()?;
        let compared = body.defining_op(condition).filter(|&compare| {
            let is_comparison = matches!(body[compare].name, arith::CMPF | arith::CMPI);
            is_comparison
                && body[compare]
                    .operands
                    .iter()
                    .any(|value| args.contains(value))
        });
        let fits = body[op].num_results() > 0 && is_pure(yes) && is_pure(no);
        let is_update =
            is_carried && compared.is_some() || self.starts_segment(op, l, [yes_values, no_values]);
        (fits && (is_update || !again.is_empty())).then_some(Values {
            op,
            condition,
            branches: [yes, no],
            again,
        })
    }

    /// The sequential loop whose body contains an operation; `None` if iterations of a loop around
    /// may run in parallel.
    fn loop_around(&self, op: OpId) -> Option<ForOp> {
        let body = self.body;
        let l = ForOp::cast(body, body.parent_op(op)?)?;
        (!is_beside_others(body, op)).then_some(l)
    }

    /// Whether a condition compares a value that the iteration loads from one of these elements.
    fn compares(&self, condition: Value, block: BlockId, kept: &[Element]) -> bool {
        let (ctx, body) = (self.ctx, self.body);
        let Some(compare) = body.defining_op(condition) else {
            return false;
        };
        let is_comparison = matches!(body[compare].name, arith::CMPF | arith::CMPI);
        is_comparison
            && body[compare].operands.iter().any(|&value| {
                let load = body.defining_op(value);
                let load = load.filter(|&load| body[load].parent() == Some(block));
                let element = load.and_then(|load| Element::of(ctx, body, load));
                element.is_some_and(|element| kept.contains(&element))
            })
    }

    /// Whether an element is the same in all iterations of a loop.
    fn is_kept(&self, l: ForOp, element: &Element) -> bool {
        let body = self.body;
        let is_outside = |value: Value| !body.is_defined_in(value, l.0);
        is_outside(element.memref) && element.operands.iter().all(|&value| is_outside(value))
    }

    /// Whether an element exists and is initialized in all iterations of a loop.
    fn is_there(&self, l: ForOp, element: &Element) -> bool {
        self.is_written(l, element) && self.is_quiet(l.0)
    }

    /// Whether an element exists and is initialized when a loop begins.
    fn is_written(&self, l: ForOp, element: &Element) -> bool {
        let (ctx, body) = (self.ctx, self.body);
        let (mut at, mut top) = (Some(l.0), l.0);
        while let Some(op) = at {
            let mut before = body[op].prev();
            while let Some(earlier) = before {
                let stored = is_store(body, earlier).then(|| Element::of(ctx, body, earlier));
                let stored = stored.flatten();
                if stored.is_some_and(|stored| stored.is_same(ctx, body, element)) {
                    return true;
                }
                if !self.is_quiet(earlier) {
                    return false;
                }
                before = body[earlier].prev();
            }
            at = body.parent_op(op);
            // Operations after it in a loop around run before its next iteration.
            if at.is_some_and(|around| !self.is_quiet(around)) {
                return false;
            }
            top = op;
        }
        let is_in_entry = body[top].parent() == body.value_block(element.memref);
        self.has_arguments && is_in_entry && self.is_of_argument(element)
    }

    /// Whether an element belongs to an argument of the function, at constant subscripts in range.
    fn is_of_argument(&self, element: &Element) -> bool {
        let (ctx, body) = (self.ctx, self.body);
        // Passes see an argument through the operations that separate it, one for each pair of arguments
        // of which one is written, or more.
        let names = std::iter::successors(Some(element.memref), |&name| separated_from(body, name));
        let is_argument = names.last().is_some_and(|memref| {
            let block = body.value_block(memref);
            let is_defined = body.defining_op(memref).is_some();
            !is_defined && block.is_some_and(|block| body.block_parent_op(block).is_none())
        });
        let sizes = body.ty(element.memref).memref(ctx);
        let Some(shape) = sizes.map(|ty| ty.shape.to_vec()) else {
            return false;
        };
        let subscripts = element.map.results(ctx).iter();
        let is_in_range = |(subscript, &size): (&AffineExpr, &i64)| {
            let constant = subscript.as_constant(ctx);
            constant.is_some_and(|at| (0..size).contains(&at))
        };
        is_argument && subscripts.zip(&shape).all(is_in_range)
    }

    /// Whether an operation, its regions included, frees no memory and makes no call.
    fn is_quiet(&self, op: OpId) -> bool {
        let body = self.body;
        let mut below = body.walk_op(op).into_iter();
        below.all(|op| {
            let name = body[op].name;
            let is_access = matches!(
                name,
                affine::LOAD | affine::STORE | memref::LOAD | memref::STORE | memref::COPY
            );
            let is_new = matches!(name, memref::ALLOC | memref::ALLOCA);
            let is_end = matches!(name, affine::YIELD | scf::YIELD | scf::CONDITION);
            // Where an assertion fails, nothing follows.
            let is_assertion = name == cf::ASSERT;
            is_in_turn(body, op)
                || is_access
                || is_new
                || is_end
                || is_assertion
                || name.has(Traits::PURE)
        })
    }
}

impl Stores {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        for &(statement, same) in &self.statements {
            if let Some(same) = same {
                let value = body[statement].result(0);
                body.replace_uses(value, same);
                body.erase(statement);
                continue;
            }
            body.detach(statement);
            body.insert_before(self.op, statement);
            if let Some(store) = StoreOp::cast(body, statement) {
                let element = Element::of_store(ctx, body, store);
                let value = store.value(body);
                let mut b = Builder::before(ctx, body, statement);
                let held = element.load(&mut b);
                let chosen = select(&mut b, self.condition, value, held);
                element.store(&mut b, chosen);
                body.erase(statement);
            }
        }
        body.erase(self.op);
    }
}

impl Values {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        for &(load, value) in &self.again {
            body.replace_uses(body[load].result(0), value);
            body.erase(load);
        }
        let mut arms = Vec::new();
        for block in self.branches {
            let ops: Vec<OpId> = body.ops(block).collect();
            for op in ops {
                if body[op].name == scf::YIELD {
                    arms.push(body[op].operands.to_vec());
                    continue;
                }
                body.detach(op);
                body.insert_before(self.op, op);
            }
        }
        let [yes, no] = &arms[..] else {
            return;
        };
        let results: Vec<Value> = body[self.op].results().collect();
        for ((result, &yes), &no) in results.into_iter().zip(yes).zip(no) {
            let mut b = Builder::before(ctx, body, self.op);
            let chosen = select(&mut b, self.condition, yes, no);
            body.replace_uses(result, chosen);
        }
        body.erase(self.op);
    }
}
