//! Segments of scans: branches that start a carried value anew.
//!
//! ```text
//! %n = scf.if %head {                       %t = arith.addf %s, %x
//!   scf.yield %x                            %n = arith.select %head, %x, %t
//! } else {                            ⇒     affine.store %n, %y[%i]
//!   %t = arith.addf %s, %x                  affine.yield %n
//!   scf.yield %t
//! }
//! affine.store %n, %y[%i]
//! affine.yield %n
//! ```
//!
//! `affine-parallelize-scans` computes the loop in chunks then.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{OpId, Value};

use super::Finder;

impl Finder<'_> {
    /// Whether a conditional starts a segment of a scan: one branch makes the next value of that which the loop carries, the
    /// other one does not look at it, and the iteration uses what comes out.
    pub(super) fn starts_segment(&self, op: OpId, l: ForOp, arms: [&[Value]; 2]) -> bool {
        let body = self.body;
        let (&[carried], &[next]) = (l.iter_args(body), l.yielded(body)) else {
            return false;
        };
        let uses = |at: OpId, value: Value| {
            let mut below = body.walk_op(at).into_iter();
            below.any(|op| body[op].operands.contains(&value))
        };
        let looks = [0, 1].map(|region| {
            let block = body.region_block(op, region);
            let mut ops = block.into_iter().flat_map(|block| body.ops(block));
            ops.any(|op| uses(op, carried))
        });
        let is_kept = arms.iter().any(|values| values.contains(&carried));
        let mut statements = body.ops(l.block(body));
        let is_seen = statements.any(|other| {
            let is_end = body[other].name == affine::YIELD;
            other != op && !is_end && uses(other, next)
        });
        let is_own = body[op].results().eq([next]);
        is_own && looks[0] != looks[1] && !is_kept && is_seen
    }
}
