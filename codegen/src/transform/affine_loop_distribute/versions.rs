//! Versions of a loop of open sizes: distributed where the run finds few iterations with much work each, whole where not.
//!
//! ```text
//!                                       %few = %h <= 64 and %t * %d >= 16384
//! affine.for %i = 0 to %h {             %many = not %few
//!   affine.for %j = 0 to %t {           scf.if %many {
//!     affine.for %e = 0 to %d { … }       affine.for %i = 0 to %h { … }       // as it was
//!   }                                   }
//!   %m = affine.for %j = 0 to %t { … }  scf.if %few {
//!   …                             ⇒       affine.for %i = 0 to %h {
//! }                                         affine.for %j = 0 to %t { affine.for %e = 0 to %d { … } }
//!                                         }
//!                                         affine.for %i = 0 to %h { %m = affine.for %j = 0 to %t { … } … }
//!                                       }
//! ```
//!
//! The numbers are those that constant sizes are compared with ([`few`](super::few)), so both decide alike. Both
//! copies do what the nest does, and exactly one runs; none is a fallback that has to stay on the host.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::{Body, Builder, Context, Value};

use super::expansion::{Expanded, parallel_loops_around, plan_expanded};
use super::few::{MAX_FEW, Rounds};
use super::{Distribution, has_parallel_loop, loop_depth};
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::verdict;
use crate::transform::affine_guard_overflow::is_fallback;
use crate::transform::affine_number_selections::rewrite::{negated, truth};
use crate::transform::nest_versions::part_nest;

/// A nest that gets versions, and the distribution of one.
pub(super) struct Versions {
    /// The outermost of the loops that are distributed together.
    root: ForOp,
    /// Their iterations.
    rows: Rounds,
    /// Rounds of the deepest nest in each.
    work: Rounds,
    /// The least of these that is worth a distribution.
    min_rounds: i64,
    distribution: Distribution,
}

/// Plans the versions of a parallel loop.
pub(super) fn plan_versions(
    deps: &mut Dependences,
    op: ForOp,
    min_rounds: i64,
) -> Option<Versions> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if body[op.0].num_results() > 0 || !verdict(deps, op.0).is_parallel() {
        return None;
    }
    let statements = &op.statements(body)[..];
    let deepest = statements.iter().copied();
    let deepest = deepest.max_by_key(|&s| loop_depth(body, s))?;
    if loop_depth(body, deepest) < 2 || !has_parallel_loop(deps, deepest) {
        return None;
    }
    let around = parallel_loops_around(deps, op);
    let root = *around.first()?;
    let rows = Rounds::of(ctx, body, root, around)?;
    let work = Rounds::of_deepest(ctx, body, root, deepest)?;
    let is_decided = rows.constant().is_some_and(|rows| rows > MAX_FEW)
        || work.constant().is_some_and(|work| work < min_rounds)
        || rows.constant().is_some() && work.constant().is_some();
    if is_decided || is_fallback(body, root.0) {
        return None;
    }
    let Expanded { pieces, expansion } = plan_expanded(deps, op, statements, Some(&work))?;
    Some(Versions {
        root,
        rows,
        work,
        min_rounds,
        distribution: Distribution {
            expansion: Some(expansion),
            ..Distribution::over(op, pieces)
        },
    })
}

impl Versions {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let root = self.root.0;
        let mut b = Builder::before(ctx, body, root);
        let few = self.test(&mut b);
        let many = negated(&mut b, few);
        part_nest(&mut b, root, [many, few]);
        self.distribution.apply(ctx, body);
    }

    /// Emits whether there are few iterations with much work each.
    fn test(&self, b: &mut Builder) -> Value {
        let tests = [
            (&self.rows, CmpIPredicate::Sle, MAX_FEW),
            (&self.work, CmpIPredicate::Sge, self.min_rounds),
        ];
        let open = tests
            .into_iter()
            .filter(|(rounds, ..)| rounds.constant().is_none());
        let tests = open.map(|(rounds, predicate, limit)| {
            let (rounds, limit) = (rounds.emit(b), b.index_constant(limit));
            CmpIOp::create(b, predicate, rounds, limit)
        });
        let tests: Vec<Value> = tests.collect();
        let all = tests
            .into_iter()
            .reduce(|all, one| b.binary(arith::ANDI, all, one));
        all.unwrap_or_else(|| truth(b))
    }
}
