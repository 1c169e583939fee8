//! Interchange of a loop that all statements of an imperfect nest share to its outside.
//!
//! ```text
//! affine.for %i = 0 to %n {                       affine.for %j = 0 to %m {
//!   affine.for %k = 0 to %i {                       affine.for %i = 0 to %n {
//!     affine.for %j = 0 to %m {                       affine.for %k = 0 to %i {
//!       %b[%i, %j] -= %l[%i, %k] * %b[%k, %j]           %b[%i, %j] -= %l[%i, %k] * %b[%k, %j]
//!     }                                       ⇒       }
//!   }                                                 %b[%i, %j] /= %l[%i, %i]
//!   affine.for %j = 0 to %m {                       }
//!     %b[%i, %j] /= %l[%i, %i]                    }
//!   }
//! }
//! ```
//!
//! A triangular solve for many right-hand sides is such a nest: its columns are independent, so that each is a thread
//! of one kernel, where each iteration of `%i` was two launches.
//!
//! Legal where no two iterations of the shared loop, in any iterations of the others, touch an element that one of
//! them writes; where its bounds are the same everywhere, and come from outside of the nest; and where the rest of the
//! nest are sequential loops, conditionals, and operations that can be repeated. Done where the shared loop is all
//! that is parallel: at least two loops of [`MIN_COLUMNS`] iterations or more, no other one in them or around them.

use std::cmp::Ordering;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::{AffineExpr, BlockId, Body, Builder, Context, InsertPoint, OpId, Value};

use crate::analysis::access::Access;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::{distinct_accesses, verdict};
use crate::analysis::reduction::is_repeatable;
use crate::analysis::repeatable::are_unchanged;
use crate::analysis::values::Atom;
use crate::transform::emit_loops::copy_loop;

/// Profitability threshold: with fewer iterations, what each computes may be parallel instead.
const MIN_COLUMNS: u64 = 32;

/// Trip count below which a parallel loop inside is no loss.
const FEW_TRIPS: u64 = 8;

/// Limit of the loops that become one.
const MAX_LOOPS: usize = 8;

/// Limit of the accesses of a nest.
const MAX_ACCESSES: usize = 32;

/// A nest whose loops `columns` become its outermost one.
pub(super) struct Columns {
    root: ForOp,
    columns: Vec<ForOp>,
}

/// Plans the interchange of a sequential nest that is in no parallel loop.
pub(super) fn plan_columns(deps: &mut Dependences, root: ForOp) -> Option<Columns> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if body[root.0].num_results() > 0 {
        return None;
    }
    let mut tried: Vec<ForOp> = Vec::new();
    for op in body.walk_op(root.0) {
        let Some(l) = ForOp::cast(body, op).filter(|&l| l != root) else {
            continue;
        };
        let is_new = !tried.iter().any(|&known| is_same(ctx, body, known, l));
        if !is_new || tried.len() == MAX_LOOPS || !is_column(ctx, body, root, l) {
            continue;
        }
        tried.push(l);
        let mut found = Found::default();
        if found.collect(ctx, body, root.block(body), l).is_none() || found.columns.len() < 2 {
            continue;
        }
        if is_legal(deps, root, &found) && pays(deps, root, &found) {
            return Some(Columns {
                root,
                columns: found.columns,
            });
        }
    }
    None
}

/// Whether a loop may be one of the loops that become the outermost one.
fn is_column(ctx: &Context, body: &Body, root: ForOp, l: ForOp) -> bool {
    let (lower, upper) = (l.lower(ctx, body), l.upper(ctx, body));
    let mut operands = lower.operands.iter().chain(upper.operands);
    let trips = l.constant_trip_count(ctx, body);
    body[l.0].num_results() == 0
        && trips.is_none_or(|trips| trips >= MIN_COLUMNS)
        && operands.all(|&value| !body.is_defined_in(value, root.0))
}

/// Whether two loops have the same bounds and step.
fn is_same(ctx: &Context, body: &Body, a: ForOp, b: ForOp) -> bool {
    let bounds = |l: ForOp| [l.lower(ctx, body), l.upper(ctx, body)];
    let mut pairs = bounds(a).into_iter().zip(bounds(b));
    let are_same = pairs.all(|(a, b)| a.map == b.map && a.operands == b.operands);
    are_same && a.step(ctx, body) == b.step(ctx, body) && body[b.0].num_results() == 0
}

/// Parts of a nest.
#[derive(Default)]
struct Found {
    columns: Vec<ForOp>,
    /// The other loops around the columns.
    around: Vec<ForOp>,
    /// Statements beside the columns.
    repeated: Vec<OpId>,
}

impl Found {
    /// Collects the parts of a block; `None` where one can neither be a column nor be repeated.
    fn collect(&mut self, ctx: &Context, body: &Body, block: BlockId, like: ForOp) -> Option<()> {
        for op in body.ops(block) {
            if let Some(l) = ForOp::cast(body, op) {
                if is_same(ctx, body, like, l) {
                    self.columns.push(l);
                    continue;
                }
                if body[op].num_results() > 0 {
                    return None;
                }
                self.around.push(l);
                self.collect(ctx, body, l.block(body), like)?;
                continue;
            }
            match body[op].name {
                affine::YIELD | scf::YIELD => {}
                affine::IF | scf::IF if body[op].num_results() == 0 => {
                    let blocks = (0..2).filter_map(|region| body.region_block(op, region));
                    for block in blocks {
                        self.collect(ctx, body, block, like)?;
                    }
                }
                _ if is_repeatable(body, op) => self.repeated.push(op),
                _ => return None,
            }
        }
        (self.columns.len() <= MAX_LOOPS).then_some(())
    }
}

/// Whether different iterations of the columns are independent, and what is beside them may be repeated.
fn is_legal(deps: &mut Dependences, root: ForOp, found: &Found) -> bool {
    let body = deps.values.body;
    let mut accesses: Vec<(AffineExpr, Access)> = Vec::new();
    for column in &found.columns {
        let counter = Atom::Value(column.induction_var(body));
        let counter = deps.values.atom_expr(counter);
        let below = distinct_accesses(deps, column.0);
        accesses.extend(below.into_iter().map(|access| (counter, access)));
    }
    if accesses.len() > MAX_ACCESSES {
        return false;
    }
    let pairs = |(k, first): (usize, _)| (accesses[k..].iter()).map(move |second| (first, second));
    let are_independent = accesses.iter().enumerate().flat_map(pairs).all(
        |((counter, first), (other, second)): (&(AffineExpr, Access), &(AffineExpr, Access))| {
            [Ordering::Less, Ordering::Greater]
                .into_iter()
                .all(|order| {
                    let compared = [(*counter, order, *other)];
                    let test = deps.test_compared(root.0, [first, second], &compared);
                    test.is_independent()
                })
        },
    );
    let mut loads = Vec::new();
    for &op in &found.repeated {
        loads.extend(distinct_accesses(deps, op));
    }
    let scope = Scope::AnyIterations(root.0);
    are_independent && are_unchanged(deps, &loads, root.0, scope) == Some(true)
}

/// Whether the columns are the only parallel loops.
fn pays(deps: &mut Dependences, root: ForOp, found: &Found) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let outside = body.ancestors(root.0);
    let outside = outside.filter(|&op| op != root.0);
    let outside = outside.filter(|&op| is_affine_loop(body, op));
    let mut others: Vec<OpId> = outside.chain([root.0]).collect();
    others.extend(found.around.iter().map(|l| l.0));
    for column in &found.columns {
        let below = body.walk_op(column.0).into_iter();
        others.extend(below.filter(|&op| op != column.0 && ForOp::cast(body, op).is_some()));
    }
    !others.into_iter().any(|op| {
        let trips = ForOp::cast(body, op).and_then(|l| l.constant_trip_count(ctx, body));
        trips.is_none_or(|trips| trips >= FEW_TRIPS) && verdict(deps, op).is_parallel()
    })
}

impl Columns {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let Some(&first) = self.columns.first() else {
            return;
        };
        let root = self.root.0;
        let mut b = Builder::before(ctx, body, root);
        b.loc = b.body[first.0].loc;
        let outer = copy_loop(&mut b, first, &Default::default());
        let block = outer.block(b.body);
        b.set(InsertPoint::End(block));
        b.body.detach(root);
        b.insert(root);
        affine::yield_values(&mut b, block, &[]);
        let counter = outer.induction_var(body);
        for column in &self.columns {
            let own: Value = column.induction_var(body);
            body.replace_values_in(column.0, |value| if value == own { counter } else { value });
            for op in column.statements(body) {
                body.detach(op);
                body.insert_before(column.0, op);
            }
            body.erase(column.0);
        }
    }
}
