//! Gathers: nests that update elements at sums of counters, with a loop for each element.
//!
//! ```text
//! affine.for %i = 0 to %n {                  affine.for %e = 0 to 2 * %n + 2 {
//!   affine.for %k = 0 to 4 {           ⇒       affine.for %i = max(0, (%e - 3) ceildiv 2) to min(%n, %e floordiv 2 + 1) {
//!     %y[2 * %i + %k] += %x[%i] * %w[%k]         %y[%e] += %x[%i] * %w[%e - 2 * %i]
//! ```
//!
//! A subscript that moves with several loops becomes a loop of its own, in place of one of them that it adds as it
//! is. Iterations of these loops update different elements, so that they are parallel, all in one launch; the loops that
//! remain are a sum. They run upwards or downwards, whichever keeps the order of the updates of an element, so that
//! floats need no permission to reassociate.
//!
//! Legal where [`affine_schedule`](super::super::affine_schedule) proves the order.

use gridloom_dialects::affine::ForOp;

use super::super::affine_schedule::{Nest, Rescheduled, Schedule, reschedule};
use crate::analysis::dependence::Dependences;

/// Plans a gather: `subscripts` has, for each subscript of the updated element, the loops that move it, each with the
/// elements by which an iteration does.
pub(super) fn gather(
    deps: &mut Dependences,
    nest: &[ForOp],
    subscripts: &[Vec<(usize, i64)>],
) -> Option<Rescheduled> {
    let depth = nest.len();
    let unit = |k: usize, factor: i64| -> Vec<i64> {
        (0..depth)
            .map(|j| if j == k { factor } else { 0 })
            .collect()
    };
    let mut rows: Vec<Vec<i64>> = Vec::new();
    let mut is_replaced = vec![false; depth];
    for along in subscripts {
        let replaced = match along[..] {
            [] => continue,
            [(only, _)] => {
                rows.push(unit(only, 1));
                only
            }
            _ => {
                let mut row = vec![0; depth];
                along.iter().for_each(|&(k, factor)| row[k] = factor);
                rows.push(row);
                along.iter().find(|(_, factor)| factor.abs() == 1)?.0
            }
        };
        is_replaced[replaced] = true;
    }
    [1, -1].into_iter().find_map(|direction| {
        let others = (0..depth).filter(|&k| !is_replaced[k]).map(|k| {
            let is_moving = subscripts.iter().flatten().any(|&(moving, _)| moving == k);
            unit(k, if is_moving { direction } else { 1 })
        });
        let rows: Vec<Vec<i64>> = rows.iter().cloned().chain(others).collect();
        let schedule = Schedule::unimodular(&rows, &[])?;
        let nest = Nest::new(deps, *nest.first()?, depth).ok()?;
        reschedule(deps, nest, &schedule).ok()
    })
}
