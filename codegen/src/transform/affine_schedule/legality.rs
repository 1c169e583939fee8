//! Schedule legality: whether an order keeps every dependence.

use gridloom_dialects::memref;
use gridloom_ir::{AffineExpr, OpId};

use super::{Nest, Refusal, Schedule};
use crate::analysis::access::{Access, Place};
use crate::analysis::alias::Root;
use crate::analysis::dependence::{Dependence, Dependences, Scope};
use crate::analysis::opaque::Opaque;
use crate::analysis::parallel::{MAX_ACCESSES, distinct_accesses};
use crate::analysis::system::{Combination, Instance, Statements};

/// Dependence that a loop of the nest carries, or may carry: both iterations agree in the loops
/// around it, and the second access is in a later iteration of it.
#[derive(Clone, Debug)]
pub struct CarriedDependence {
    /// The earlier access and the later one.
    pub accesses: [Access; 2],
    /// The position of the loop.
    pub level: usize,
}

/// The dependences between iterations of a nest.
///
/// # Errors
/// An operation of unknown effects, or too many accesses.
pub fn carried_dependences(
    deps: &mut Dependences,
    nest: &Nest,
) -> Result<Vec<CarriedDependence>, Refusal> {
    let accesses = shared_accesses(deps, nest)?;
    let mut found = Vec::new();
    for first in &accesses {
        for second in &accesses {
            for level in 0..nest.loops.len() {
                let (scope, equal) = carried(deps, nest, level);
                let dependence = deps.test_where(scope, &equal, first, second);
                if !dependence.is_independent() {
                    found.push(CarriedDependence {
                        accesses: [first.clone(), second.clone()],
                        level,
                    });
                }
            }
        }
    }
    Ok(found)
}

/// Accesses to memory that iterations share; memory that each iteration allocates itself does not
/// count.
fn shared_accesses(deps: &mut Dependences, nest: &Nest) -> Result<Vec<Access>, Refusal> {
    let body = deps.values.body;
    let innermost = nest.loops[nest.loops.len() - 1].0;
    let mut accesses = distinct_accesses(deps, nest.root());
    let is_own = |root: Root| {
        let Root::Value(value) = root else {
            return false;
        };
        body.defining_op(value).is_some_and(|op| {
            matches!(body[op].name, memref::ALLOC | memref::ALLOCA)
                && body.is_ancestor(innermost, op)
        })
    };
    accesses.retain(|access| match access.place {
        Place::Element { root, .. } | Place::Somewhere(root) => !is_own(root),
        Place::Anything => true,
    });
    if let Some(opaque) = Opaque::among(&deps.values, &accesses) {
        return Err(Refusal::Opaque(opaque));
    }
    match accesses.len() {
        ..=MAX_ACCESSES => Ok(accesses),
        count => Err(Refusal::TooLarge(count)),
    }
}

/// The pairs of iterations between which a loop carries a dependence.
fn carried(deps: &mut Dependences, nest: &Nest, level: usize) -> (Scope, Statements) {
    let body = deps.values.body;
    let scope = Scope::AcrossNest {
        root: nest.root(),
        by: nest.loops[level].0,
    };
    let mut equal = Statements::new();
    for l in &nest.loops[..level] {
        let iv = deps.values.expr(l.induction_var(body));
        equal.equal(step(iv));
    }
    (scope, equal)
}

/// Difference of an expression between the later and the earlier iteration.
fn step(expr: AffineExpr) -> Combination {
    Combination::of(expr, Instance::Second).plus(-1, expr, Instance::First)
}

impl CarriedDependence {
    /// Dependence test under further conditions: the expressions `same` agree between the
    /// iterations, and another one is greater by at most `most` in the later iteration.
    fn holds(
        &self,
        deps: &mut Dependences,
        nest: &Nest,
        same: &[AffineExpr],
        (expr, most): (AffineExpr, i64),
    ) -> Dependence {
        let (scope, mut statements) = carried(deps, nest, self.level);
        same.iter().for_each(|&expr| statements.equal(step(expr)));
        let less = Combination::of(expr, Instance::First).plus(-1, expr, Instance::Second);
        statements.at_least_zero(less.offset(most));
        let [first, second] = &self.accesses;
        deps.test_where(scope, &statements, first, second)
    }

    /// Whether the dependence leads forward along a sum of the old counters: the sum is greater
    /// by at least `least` in every later iteration.
    pub fn leads_forward(
        &self,
        deps: &mut Dependences,
        nest: &Nest,
        factors: &[i64],
        least: i64,
    ) -> bool {
        let expr = nest.sum(deps, factors);
        self.holds(deps, nest, &[], (expr, least - 1))
            .is_independent()
    }
}

/// Checks that the schedule reverses no dependence.
pub(super) fn check(
    deps: &mut Dependences,
    nest: &Nest,
    schedule: &Schedule,
) -> Result<(), Refusal> {
    let dimensions: Vec<AffineExpr> = (schedule.dimensions.iter())
        .map(|dimension| nest.dimension(deps, &schedule.basis, dimension))
        .collect();
    // Where no old counter of the basis falls along a dependence, neither does a sum of their
    // quotients with factors of at least 0; one of the dimensions that count points grows.
    let mut factors = schedule.dimensions.iter().flat_map(|d| &d.coefficients);
    let is_monotone = factors.all(|&factor| factor >= 0);
    for dependence in carried_dependences(deps, nest)? {
        let mut basis = schedule.basis.iter();
        if is_monotone && basis.all(|row| dependence.leads_forward(deps, nest, row, 0)) {
            continue;
        }
        for (outer, &dimension) in dimensions.iter().enumerate() {
            let same = &dimensions[..outer];
            let turned = dependence.holds(deps, nest, same, (dimension, -1));
            if !turned.is_independent() {
                let by: OpId = nest.loops[dependence.level].0;
                let [first, second] = &dependence.accesses;
                let explained = deps.explain(Scope::AcrossIterations(by), first, second);
                let violated = match explained.is_independent() {
                    true => turned,
                    false => explained,
                };
                return Err(Refusal::Violates(Box::new(dependence.accesses), violated));
            }
        }
    }
    Ok(())
}
