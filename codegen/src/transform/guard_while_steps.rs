//! `guard-while-steps`: puts an `scf.while` that counts in steps of a run-time number under a test that
//! it ends, makes an `scf.for` of it there, and raises what is affine then.
//!
//! ```text
//!                                               %ok = 0 < %m and %n <= MAX - %m
//! scf.while (%i = %c0) {                        scf.if %ok {
//!   %c = arith.cmpi slt, %i, %n                   scf.for %i = %c0 to %n step %m {
//!   scf.condition(%c) %i                            S(%i)
//! } do {                                  ⇒       }
//!   S(%i)                                       } else {
//!   %next = arith.addi %i, %m                     the loop as it was
//!   scf.yield %next                             }
//! }
//! ```
//!
//! Always legal: both copies are the loop. C's `for (i = 0; i < n; i += 2 * h)` is one where nothing bounds `h`, and
//! `for (i = 0; i < n; i += 3)` in `int`, whose last sum may wrap around. Left alone: loops that count
//! down, that compare a sum with their bound, and copies that other tests keep for the opposite case.

use gridloom_dialects::scf;
use gridloom_ir::{Body, Context};

use super::raise_to_affine::tested_while::to_for_under_tests;
use super::raise_to_affine::{host_ops, raise};

/// Limit of the rounds: each puts loops under tests that do not contain each other.
const MAX_ROUNDS: usize = 4;

/// Versions the loops of a host function that count in steps of a run-time number. Returns whether there was one.
pub fn guard_while_steps(ctx: &Context, body: &mut Body) -> bool {
    if !body.may_hold(scf::WHILE) {
        return false;
    }
    let mut changed = false;
    for _ in 0..MAX_ROUNDS {
        if !to_for_under_tests(ctx, body, &host_ops(body)) {
            break;
        }
        raise(ctx, body);
        changed = true;
    }
    changed
}
