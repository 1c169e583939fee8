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
//! knows; other bounds, steps, conditions, and loads that two statements share are
//! refused, and so is a statement whose inner loops do not become empty at the
//! others' times.
//!
//! It is done where a statement has no parallel loop around it, and each has one
//! among its inner loops afterwards.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Module};

use super::loop_bounds::MapOfAtoms;
use super::plans::{change_by_plans, plan_outermost};
use super::statement_nest::{counters_of, loop_between, statement_nest, values_outside};
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::verdict;
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;
use scan::{Range, Scan};
use schedule::{Schedule, find_schedule};
use statement::{Statement, statements_of};
use time::counter_at;

pub(in crate::transform) mod edges;
mod scan;
mod schedule;
pub(in crate::transform) mod statement;
mod time;

/// Interchanges imperfect nests in the host functions of a module. Returns whether anything changed.
pub fn interchange_module(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let reassociate = options.reassociate;
    let plan_nest = |deps: &mut Dependences, root| plan_nest(deps, root, reassociate);
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_outermost(ctx, body, globals, plan_nest),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Interchange plan: a nest in its new form.
struct Interchange {
    root: ForOp,
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
        .filter(|&op| matches!(body[op].name, affine::FOR | affine::PARALLEL));
    if around.any(|l| verdict(deps, l).is_parallel()) {
        return None;
    }
    let Schedule { order, times } = find_schedule(deps, root, &statements, reassociate)?;
    let values = &mut deps.values;
    let mut scans = Vec::new();
    for &k in &order {
        let statement = &statements[k];
        let scan = Scan::of(values, root.0, &statement.loops, &times[k])?;
        scans.push((statement.clone(), scan));
    }
    let (_, first) = scans.first()?;
    let mut times = scans.iter().map(|(_, scan)| &scan.time);
    let all = times.try_fold(first.time.clone(), Range::hull)?;
    // Running a statement at times that are not its own would need a condition.
    let is_right = |(_, scan): &(Statement, Scan)| scan.fits_into(values, root.0, &all);
    if !scans.iter().all(is_right) {
        return None;
    }
    Some(Interchange {
        root,
        time: all.maps(values, root.0)?,
        statements: scans,
    })
}

impl Interchange {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let source = body.clone();
        let mut b = Builder::before(ctx, body, self.root.0);
        b.loc = source[self.root.0].loc;
        let statements = self.statements.iter().map(|(statement, _)| statement);
        let counters = counters_of(&source, statements);
        let inner = self.statements.iter().flat_map(|(_, scan)| scan.maps());
        let known = values_outside(&mut b, &counters, self.time.iter().chain(inner));
        let outer = loop_between(&mut b, self.time.each_ref(), &known);
        let block = outer.block(b.body);
        let time = outer.induction_var(b.body);
        for (statement, scan) in &self.statements {
            b.set(InsertPoint::End(block));
            let mut known = known.clone();
            let counter = statement.loops[scan.time_loop].induction_var(&source);
            known.insert(Atom::Value(counter), time);
            let mut map = IrMapping::new();
            let inverse = scan.inverse.as_ref();
            let counter_value = counter_at(&mut b, inverse, time, |map| map.operands(&known));
            map.map(counter, counter_value);
            statement_nest(&mut b, &source, statement, &scan.inner, known, map);
        }
        affine::yield_values(&mut b, block, &[]);
        body.erase(self.root.0);
    }
}
