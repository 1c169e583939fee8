//! `affine-separate-prefix-sums`: prefix sums over two loops (summed-area tables) become sums along rows,
//! then sums along columns.
//!
//! ```text
//! affine.for %i = 1 to %n {                     affine.for %i = 1 to %n {
//!   affine.for %j = 1 to %m {                     %e = %s[%i, 0] - %s[%i - 1, 0]
//!     %s[%i, %j] = %a[%i, %j]                     affine.for %j = 1 to %m iter_args(%r = %e) {
//!       + %s[%i - 1, %j] + %s[%i, %j - 1]           %q = %r + %a[%i, %j]
//!       - %s[%i - 1, %j - 1]             ⇒          %s[%i, %j] = %q
//!   }                                               affine.yield %q
//! }                                             } }
//!                                               affine.for %i = 1 to %n {
//!                                                 affine.for %j = 1 to %m {
//!                                                   %s[%i, %j] = %s[%i, %j] + %s[%i - 1, %j]
//!                                               } }
//! ```
//!
//! The differences `s[i, j] - s[i - 1, j]` are prefix sums of a row (F. Crow, "Summed-area tables
//! for texture mapping", 1984). A nest that carries the sum of a row itself and adds the row before
//! is separated in the same manner, without regrouping:
//!
//! ```text
//! affine.for %i = 1 to %n {                     affine.for %i = 1 to %n {
//!   affine.for %j = 0 to %m                       affine.for %j = 0 to %m iter_args(%r = %z) {
//!       iter_args(%r = %z) {                        %q = %r + %a[%i, %j]
//!     %q = %r + %a[%i, %j]               ⇒          %s[%i, %j] = %q
//!     %s[%i, %j] = %q + %s[%i - 1, %j]              affine.yield %q
//!     affine.yield %q                           } }
//! } }                                           … the columns as above
//! ```
//!
//! Rows are then independent of each other in the first nest, columns in the second.
//!
//! An element may have one subscript for both counters (`s[800 i + j]`).
//!
//! Legal where the inner loop stores nothing but the element, in each iteration another one, and what stands in front of
//! it stores elsewhere, which the columns do not load; where the element of the
//! previous iteration of a loop is loaded for the sum alone; where the inner loop's bounds are the same in
//! all rows, so that the column before the first one stays; and where what else is loaded is not stored, or
//! the element itself. Floats of the first form are regrouped only where that is allowed. Without an
//! iteration of the inner loop nothing is loaded: a test stands in front where that is not known.

mod recurrence;
mod table;
mod write;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Context, Module};

use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::dependence::Dependences;
use crate::target::OffloadOptions;

/// Separates the prefix sums in the host functions of a module. Returns whether anything changed.
pub fn separate_prefix_sums(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| {
            if !body.may_hold(affine::FOR) {
                return (Vec::new(), false);
            }
            let uses = body.uses();
            plan_outermost(ctx, body, globals, |deps, root| {
                recurrence::plan(deps, &uses, root, options.reassociate)
            })
        },
        |sums, body| sums.apply(ctx, body),
    )
}

/// Whether a nest is one of prefix sums.
pub(super) fn has_prefix_sums(deps: &mut Dependences, root: ForOp, reassociate: bool) -> bool {
    let uses = deps.values.uses();
    recurrence::plan(deps, &uses, root, reassociate).is_some()
}
