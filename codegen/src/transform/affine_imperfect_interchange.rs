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

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Module, Value};

use super::atom_value::atom_value;
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::dependence::{Compared, Dependences};
use crate::analysis::parallel::verdict;
use crate::analysis::values::{AffineValues, Atom};
use crate::target::OffloadOptions;
use bounds::{MapOfAtoms, Range, Scan};
use schedule::{Schedule, find_schedule};
use statement::{Statement, statements_of};
use time::counter_at;

mod bounds;
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
        let mut known = HashMap::new();
        let inner = self.statements.iter().flat_map(|(_, scan)| scan.maps());
        let counters: HashSet<Atom> = (self.statements.iter())
            .flat_map(|(statement, _)| &statement.loops)
            .map(|l| Atom::Value(l.induction_var(&source)))
            .collect();
        for &atom in self.time.iter().chain(inner).flat_map(|map| &map.atoms) {
            if !counters.contains(&atom)
                && let Entry::Vacant(entry) = known.entry(atom)
                && let Some(value) = atom_value(&mut b, atom)
            {
                entry.insert(value);
            }
        }
        let [low, high] = [&self.time[0], &self.time[1]].map(|map| operands(map, &known));
        let [lower, upper] = [(&self.time[0], &low), (&self.time[1], &high)].map(
            |(MapOfAtoms { map, .. }, operands)| Bound {
                map: *map,
                operands,
            },
        );
        let outer = ForOp::create(&mut b, lower, upper, 1, &[]);
        let block = outer.block(b.body);
        let time = outer.induction_var(b.body);
        for (statement, scan) in &self.statements {
            b.set(InsertPoint::End(block));
            let mut known = known.clone();
            let counter = statement.loops[scan.time_loop].induction_var(&source);
            known.insert(Atom::Value(counter), time);
            statement_nest(&mut b, &source, statement, scan, known);
        }
        affine::yield_values(&mut b, block, &[]);
        body.erase(self.root.0);
    }
}

/// Values of the dimensions of a map.
fn operands(map: &MapOfAtoms, known: &HashMap<Atom, Value>) -> Vec<Value> {
    // Bounds mention outer counters and values from outside, all of which have values here.
    map.atoms
        .iter()
        .filter_map(|atom| known.get(atom).copied())
        .collect()
}

/// The inner loops of one statement, and the statement in them.
fn statement_nest(
    b: &mut Builder,
    source: &Body,
    statement: &Statement,
    scan: &Scan,
    mut known: HashMap<Atom, Value>,
) {
    let mut map = IrMapping::new();
    let counter = statement.loops[scan.time_loop].induction_var(source);
    let time = known[&Atom::Value(counter)];
    let inverse = scan.inverse.as_ref();
    map.map(
        counter,
        counter_at(b, inverse, time, |map| operands(map, &known)),
    );
    for inner in &scan.inner {
        let old = statement.loops[inner.position];
        b.loc = source[old.0].loc;
        let [low, high] = [&inner.lower, &inner.upper].map(|bound| operands(bound, &known));
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
        let before = old.induction_var(source);
        map.map(before, counter);
        known.insert(Atom::Value(before), counter);
        affine::yield_values(b, block, &[]);
        b.set(InsertPoint::Start(block));
    }
    for &op in &statement.ops {
        let copy = b.body.clone_op_from(source, op, &mut map);
        b.insert(copy);
    }
}

/// Lexicographic orders of two iterations: the counters of `common` loops are equal up to one,
/// which is less in the first; or all are equal, where `is_before`.
fn orders(values: &mut AffineValues, common: &[ForOp], is_before: bool) -> Vec<Vec<Compared>> {
    let body = values.body;
    let counters = common.iter().map(|l| Atom::Value(l.induction_var(body)));
    let counters: Vec<AffineExpr> = counters.map(|counter| values.atom_expr(counter)).collect();
    let equal = |counter: &AffineExpr| (*counter, Ordering::Equal, *counter);
    let mut all = Vec::new();
    for (k, &counter) in counters.iter().enumerate() {
        let mut one: Vec<Compared> = counters[..k].iter().map(equal).collect();
        one.push((counter, Ordering::Less, counter));
        all.push(one);
    }
    if is_before {
        all.push(counters.iter().map(equal).collect());
    }
    all
}
