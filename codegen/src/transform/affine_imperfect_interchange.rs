//! `affine-imperfect-interchange`: one counter of each statement of an imperfect
//! nest becomes the common outermost loop.
//!
//! ```text
//! affine.for %i = 0 to %n {                   affine.for %t = 0 to %n {
//!   affine.for %j = 0 to %i {                   %x[%t] /= %l[%t, %t]
//!     %x[%i] -= %l[%i, %j] * %x[%j]     ⇒       affine.for %i = %t + 1 to %n {
//!   }                                             %x[%i] -= %l[%i, %t] * %x[%t]
//!   %x[%i] /= %l[%i, %i]                        }
//! }                                           }
//! ```
//!
//! So the row-by-row forms of LU, Cholesky and triangular solves become their
//! right-looking forms. It is a schedule of one dimension in which every
//! statement has a counter as its time (P. Feautrier, "Some efficient solutions
//! to the affine scheduling problem", 1992, with counters as the only
//! candidates); the other loops keep their order.
//!
//! Legal when no statement instance depends on one of a later time, and, of the
//! same time, only on instances of statements that come before, or on earlier
//! ones of its own statement. Bounds come from projection, which is exact where
//! all coefficients are 1 or -1; other bounds, bounds that only the run knows,
//! steps, conditions, and loads that two statements share are refused, and so is
//! a statement whose inner loops do not become empty at the others' times.
//!
//! It is done where a statement has no parallel loop around it, and each has one
//! among its inner loops afterwards.

use std::cmp::Ordering;
use std::collections::HashMap;

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Module, OpId, Value};

use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::dependence::Dependences;
use bounds::{Range, Scan};
use schedule::{Schedule, find_schedule};
use statement::{Statement, statements_of};

mod bounds;
mod schedule;
mod statement;

/// Interchanges imperfect nests in the host functions of a module. Returns whether anything changed.
pub fn interchange_module(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_outermost(ctx, body, globals, plan_nest),
        |plan, body| plan.apply(ctx, body),
    )
}

/// A nest in its new form.
struct Interchange {
    root: ForOp,
    /// Range of the common outermost loop.
    time: Range,
    /// In the order in which they run at each time.
    statements: Vec<(Statement, Scan)>,
}

/// The new form of a nest, if it is worth having.
fn plan_nest(deps: &mut Dependences, root: ForOp) -> Option<Interchange> {
    let statements = statements_of(deps, root)?;
    let Schedule { order, times } = find_schedule(deps, root, &statements)?;
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut scans = Vec::new();
    for &k in &order {
        let statement = &statements[k];
        let scan = Scan::of(ctx, body, &statement.loops, times[k])?;
        scans.push((statement.clone(), scan));
    }
    let ranges = scans.iter().map(|(_, scan)| scan.time);
    let time = ranges.reduce(Range::hull)?;
    // A statement that would run at times that are not its own would need a condition.
    let is_whole = |scan: &Scan| scan.time == time || scan.is_empty_elsewhere(time);
    let is_right = scans.iter().all(|(_, scan)| is_whole(scan));
    is_right.then_some(Interchange {
        root,
        time,
        statements: scans,
    })
}

impl Interchange {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let source = body.clone();
        let mut b = Builder::before(ctx, body, self.root.0);
        b.loc = source[self.root.0].loc;
        let [low, high] = [self.time.first, self.time.last + 1];
        let [low, high] = [low, high].map(|bound| Bound::constant(ctx, bound));
        let outer = ForOp::create(&mut b, low, high, 1, &[]);
        let block = outer.block(b.body);
        let time = outer.induction_var(b.body);
        for (statement, scan) in &self.statements {
            b.set(InsertPoint::End(block));
            statement_nest(&mut b, &source, statement, scan, time);
        }
        affine::yield_values(&mut b, block, &[]);
        body.erase(self.root.0);
    }
}

/// The inner loops of one statement, and the statement in them.
fn statement_nest(b: &mut Builder, source: &Body, statement: &Statement, scan: &Scan, time: Value) {
    let mut map = IrMapping::new();
    let mut counters: HashMap<OpId, Value> = HashMap::new();
    let outer = statement.loops[scan.time_loop];
    map.map(outer.induction_var(source), time);
    counters.insert(outer.0, time);
    for inner in &scan.inner {
        let old = statement.loops[inner.position];
        b.loc = source[old.0].loc;
        // Bounds speak of loops further out only, which all have their counters.
        let [low, high] = [&inner.lower, &inner.upper].map(|bound| -> Vec<Value> {
            let loops = bound.operands.iter().map(|&k| statement.loops[k].0);
            loops.filter_map(|l| counters.get(&l).copied()).collect()
        });
        let lower = Bound {
            map: inner.lower.map,
            operands: &low,
        };
        let upper = Bound {
            map: inner.upper.map,
            operands: &high,
        };
        let new = ForOp::create(b, lower, upper, 1, &[]);
        let block = new.block(b.body);
        let counter = new.induction_var(b.body);
        map.map(old.induction_var(source), counter);
        counters.insert(old.0, counter);
        affine::yield_values(b, block, &[]);
        b.set(InsertPoint::Start(block));
    }
    for &op in &statement.ops {
        let copy = b.body.clone_op_from(source, op, &mut map);
        b.insert(copy);
    }
}

/// Lexicographic orders of two iterations that run in this order: the counters of `common`
/// loops equal up to one, which is less; or all equal, where `is_before`.
fn orders(body: &Body, common: &[ForOp], is_before: bool) -> Vec<Vec<(Value, Ordering, Value)>> {
    let compare = |order: Ordering| {
        move |l: &ForOp| {
            let counter = l.induction_var(body);
            (counter, order, counter)
        }
    };
    let mut all = Vec::new();
    for k in 0..common.len() {
        let mut one: Vec<_> = common[..k].iter().map(compare(Ordering::Equal)).collect();
        one.push(compare(Ordering::Less)(&common[k]));
        all.push(one);
    }
    if is_before {
        all.push(common.iter().map(compare(Ordering::Equal)).collect());
    }
    all
}
