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
//! candidates); the other loops keep their order. Where no counters will do, a
//! time may also be a counter turned round and shifted so that it agrees with a
//! counter of another statement in the element by which they depend on each
//! other: of backward substitution, `n - 1 - j`.
//!
//! Legal when no statement instance depends on one of a later time, and, of the
//! same time, only on instances of statements that come before, or on earlier
//! ones of its own statement. Instances of one statement that combine values in
//! an element may change places though (J. Doerfert et al., "Polly's polyhedral
//! scheduling in the presence of reductions", 2015), where the operation may be
//! regrouped: that of integers and extrema, with relaxed floats sums and products. They
//! never share a time in different parallel iterations, and all else comes before or
//! behind them as in the program. With strict floats, backward substitution whose
//! inner loop goes up stays on the host.
//!
//! Bounds come from projection, which is exact where
//! all coefficients of counters are 1 or -1, and may hold numbers that only the run
//! knows; other bounds, steps and conditions are refused, values that two statements share and that
//! cannot be loaded again since something is stored in between, and a statement whose inner loops do not become empty at the
//! others' times.
//!
//! It is done where a statement has no parallel loop around it, and each has one
//! among its inner loops afterwards. A parallel loop that all statements share becomes the outermost one as
//! it is ([`columns`]).

use std::collections::HashMap;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Module, Value};

use super::loop_bounds::MapOfAtoms;
use super::plans::{change_by_plans, plan_outermost};
use super::statement_nest::{counters_of, loop_between, statement_nest, values_outside};
use crate::analysis::dependence::Dependences;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;
use columns::{Columns, plan_columns};
use edges::{Edge, edges_of};
use scan::{Scan, Times};
use schedule::{Schedule, find_schedule, has_serial_statement};
use statement::{Statement, statements_of};
use time::{Time, counter_at};

mod columns;
pub(in crate::transform) mod edges;
mod scan;
mod schedule;
pub(in crate::transform) mod statement;
mod time;

/// Interchanges imperfect nests in the host functions of a module. Returns whether anything changed.
pub fn interchange_module(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let reassociate = options.reassociate;
    let plan_nest = |deps: &mut Dependences, root| {
        let shared = plan_columns(deps, root).map(Plan::Columns);
        shared.or_else(|| plan_nest(deps, root, reassociate).map(Plan::Interchange))
    };
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_outermost(ctx, body, globals, plan_nest),
        |plan, body| match plan {
            Plan::Columns(columns) => columns.apply(ctx, body),
            Plan::Interchange(interchange) => {
                interchange.apply(ctx, body);
            }
        },
    )
}

/// Plan for the common outermost loop: one that all statements share, or a counter of each.
enum Plan {
    Columns(Columns),
    Interchange(Interchange),
}

/// Interchange plan: a nest in its new form.
pub(in crate::transform) struct Interchange {
    root: ForOp,
    /// Statements that nothing else in the nest comes before: they run in nests of their own.
    ahead: Vec<(Statement, Scan, [MapOfAtoms; 2])>,
    /// Lower and upper bound of the common outermost loop.
    time: [MapOfAtoms; 2],
    /// Statements in the order in which they run at each time.
    statements: Vec<(Statement, Scan)>,
}

/// Plans the interchange of a nest, if it pays.
fn plan_nest(deps: &mut Dependences, root: ForOp, reassociate: bool) -> Option<Interchange> {
    let statements = statements_of(deps, root)?;
    let body = deps.values.body;
    let mut around = body
        .ancestors(root.0)
        .filter(|&op| is_affine_loop(body, op));
    if around.any(|l| verdict(deps, l).is_parallel()) || !has_serial_statement(deps, &statements) {
        return None;
    }
    let edges = edges_of(deps, root, &statements, reassociate);
    let schedule = find_schedule(deps, root, &statements, edges)?;
    Interchange::of(deps, root, Vec::new(), &statements, schedule)
}

/// Plans the interchange of a nest for a pass that goes on with it, whether it pays by itself or not. All
/// iterations of an element keep their order. Statements that nothing else comes before, such as the
/// first value of each sum, are taken out.
pub(in crate::transform) fn plan_interchange(
    deps: &mut Dependences,
    root: ForOp,
) -> Option<Interchange> {
    let mut statements = statements_of(deps, root)?;
    let mut edges = edges_of(deps, root, &statements, false);
    let mut ahead = Vec::new();
    let is_first = |edges: &[Edge], k: usize| {
        let mut edges = edges.iter().map(|edge| edge.statements);
        !edges.any(|[from, to]| to == k && from != k)
    };
    while let Some(first) = (0..statements.len()).find(|&k| is_first(&edges, k)) {
        ahead.push(statements.remove(first));
        edges.retain(|edge| !edge.statements.contains(&first));
        for edge in &mut edges {
            edge.statements = edge.statements.map(|k| k - usize::from(k > first));
        }
    }
    let schedule = find_schedule(deps, root, &statements, edges)?;
    Interchange::of(deps, root, ahead, &statements, schedule)
}

impl Interchange {
    /// The nest by this schedule; `None` where its bounds are not of the form that is projected, or
    /// a statement would need a condition.
    fn of(
        deps: &mut Dependences,
        root: ForOp,
        ahead: Vec<Statement>,
        statements: &[Statement],
        Schedule { order, times }: Schedule,
    ) -> Option<Interchange> {
        let values = &mut deps.values;
        let mut scans = Vec::new();
        for &k in &order {
            let statement = &statements[k];
            let scan = Scan::of(values, root.0, &statement.loops, &times[k])?;
            scans.push((statement.clone(), scan));
        }
        let (_, first) = scans.first()?;
        let mut times = scans.iter().map(|(_, scan)| &scan.time);
        let all = times.try_fold(first.time.clone(), Times::hull)?;
        // Running a statement at times that are not its own would need a condition.
        let is_right = |(_, scan): &(Statement, Scan)| scan.fits_into(values, root.0, &all);
        if !scans.iter().all(is_right) {
            return None;
        }
        let mut apart = Vec::new();
        for statement in ahead {
            let scan = Scan::of(values, root.0, &statement.loops, &Time::counter(0))?;
            let range = scan.time.maps(values, root.0)?;
            apart.push((statement, scan, range));
        }
        Some(Interchange {
            root,
            ahead: apart,
            time: all.maps(values, root.0)?,
            statements: scans,
        })
    }

    /// Replaces the nest. Returns the common outermost loop.
    pub fn apply(&self, ctx: &Context, body: &mut Body) -> ForOp {
        let mut b = Builder::before(ctx, body, self.root.0);
        let ahead = self
            .ahead
            .iter()
            .map(|(statement, scan, _)| (statement, scan));
        let common = self
            .statements
            .iter()
            .map(|(statement, scan)| (statement, scan));
        let all = || ahead.clone().chain(common.clone());
        let counters = counters_of(b.body, all().map(|(statement, _)| statement));
        let times = self.ahead.iter().map(|(_, _, range)| range);
        let times = times.chain([&self.time]).flatten();
        let inner = all().flat_map(|(_, scan)| scan.maps());
        let known = values_outside(&mut b, &counters, times.chain(inner));
        for (statement, scan, range) in &self.ahead {
            b.set(InsertPoint::Before(self.root.0));
            b.loc = b.body[statement.loops[0].0].loc;
            let own = loop_between(&mut b, range.each_ref(), &known);
            write_at(&mut b, (statement, scan), own, known.clone());
            let block = own.block(b.body);
            affine::yield_values(&mut b, block, &[]);
        }
        b.set(InsertPoint::Before(self.root.0));
        b.loc = b.body[self.root.0].loc;
        let outer = loop_between(&mut b, self.time.each_ref(), &known);
        for (statement, scan) in &self.statements {
            write_at(&mut b, (statement, scan), outer, known.clone());
        }
        let block = outer.block(b.body);
        affine::yield_values(&mut b, block, &[]);
        body.erase(self.root.0);
        outer
    }
}

/// Emits a statement at the end of the loop over its times.
fn write_at(
    b: &mut Builder,
    (statement, scan): (&Statement, &Scan),
    outer: ForOp,
    mut known: HashMap<Atom, Value>,
) {
    b.set(InsertPoint::End(outer.block(b.body)));
    let time = outer.induction_var(b.body);
    let counter = statement.loops[scan.time_loop].induction_var(b.body);
    known.insert(Atom::Value(counter), time);
    let mut map = IrMapping::new();
    let value = counter_at(b, scan.inverse.as_ref(), time, |map| map.operands(&known));
    map.map(counter, value);
    statement_nest(b, statement, &scan.inner, known, map);
}
