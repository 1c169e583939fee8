//! Residue classes: iterations of a loop that depend on each other at one distance alone, as coins of one value
//! have them.
//!
//! ```text
//!                                              parallel %r = 0 to %w {
//! for %k = %w to %n {                            for %k = %w + %r to %n step %w {
//!   %x[%k] = f(%x[%k], %x[%k - %w])     ⇒          %x[%k] = f(%x[%k], %x[%k - %w])
//! }                                              }
//!                                              }
//! ```
//!
//! Iterations of different residues modulo the distance are independent, those of one residue run in their order.
//! Legal where every two accesses that meet do so in one iteration, or at the distance, and where the distance
//! is positive: a condition on run-time values, tested in front of the loop ([strip-mining](
//! crate::transform::affine_loop_strip_mine) by the distance, with the outer loop innermost).

use gridloom_dialects::{arith, scf};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use super::band::{Access, Band, RuntimeCondition, induction_var};
use super::form::{SubscriptForm, Variable};
use super::test::differ_at;
use crate::transform::polynomial::Poly;

/// The least distance that is worth a kernel, of those known in advance: a recurrence stays with the host. One of
/// run-time values is taken as it comes, since the loop may have many of them.
const MIN_DISTANCE: i64 = 8;

/// The distance at which iterations of a single loop depend on each other in a memref, and the conditions for
/// that; `None` where there is none, or several.
pub(super) fn distance(band: &Band, memref: Value) -> Option<(Poly, Vec<RuntimeCondition>)> {
    let ([[_, _, step]], 1) = (&band.bounds[..], band.levels.len()) else {
        return None;
    };
    let is_plain = step.as_constant() == Some(1) && band.body[band.loops[0]].name == scf::FOR;
    is_plain.then_some(())?;
    let accesses: Vec<&Access> = (band.accesses.iter())
        .filter(|access| access.memref == memref)
        .collect();
    let mut conditions = band.conditions.clone();
    let mut distance: Option<Poly> = None;
    for (at, &first) in accesses.iter().enumerate() {
        for &second in &accesses[at..] {
            if !first.is_write && !second.is_write {
                continue;
            }
            if let Some(found) = differ_at(band, first, second) {
                conditions.extend(found);
                continue;
            }
            let pairs = first.subscripts.iter().zip(&second.subscripts);
            let own =
                { pairs }.find_map(|(first, second)| apart(first.as_ref()?, second.as_ref()?))?;
            match &distance {
                None => distance = Some(own),
                Some(known) => (*known == own || own.negated()? == *known).then_some(())?,
            }
        }
    }
    let distance = distance?;
    // The numbers of a run are seldom negative.
    let distance = match distance.is_falling() {
        true => distance.negated()?,
        false => distance,
    };
    let is_worth_it = distance
        .as_constant()
        .is_none_or(|known| known.abs() >= MIN_DISTANCE);
    is_worth_it.then_some(())?;
    conditions.push(RuntimeCondition::Positive(distance.clone()));
    Some((distance, conditions))
}

/// The distance, of either sign, at which two subscripts of a single loop meet.
fn apart(first: &SubscriptForm, second: &SubscriptForm) -> Option<Poly> {
    let variable = Variable::Level(0);
    let only = |form: &SubscriptForm| form.terms.keys().all(|&term| term == variable);
    let factor = first.factor(variable);
    let is_unit = factor.as_constant().is_some_and(|factor| factor.abs() == 1);
    let is_alike = is_unit && second.factor(variable) == factor && only(first) && only(second);
    is_alike.then(|| first.rest.minus(&second.rest)).flatten()
}

/// Rewrites a loop as a parallel one over the residues modulo `distance`, each of which is a loop.
pub(super) fn split(
    ctx: &Context,
    body: &mut Body,
    root: OpId,
    [lower, upper, _]: &[Poly; 3],
    distance: &Poly,
) {
    let mut b = Builder::before(ctx, body, root);
    let (lower, upper, step) = (
        lower.write(&mut b),
        upper.write(&mut b),
        distance.write(&mut b),
    );
    let (zero, one) = (b.index_constant(0), b.index_constant(1));
    let trips = b.binary(arith::SUBI, upper, lower);
    let count = b.binary(arith::MINSI, trips, step);
    let bounds = [zero, count, one].map(|value| vec![value]);
    let band = scf::ParallelOp::create(&mut b, &bounds);
    let (residue, end) = (band.induction_vars(b.body)[0], band.reduce(b.body));
    b.set(InsertPoint::Before(end));
    let start = b.binary(arith::ADDI, lower, residue);
    let inner = scf::ForOp::create(&mut b, start, upper, step, &[]);
    let (counter, into) = (inner.induction_var(body), inner.block(body));
    body.replace_uses(induction_var(body, root), counter);
    body.move_ops(scf::ForOp(root).block(body), into);
    body.erase(root);
}
