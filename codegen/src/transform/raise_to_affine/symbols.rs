//! Symbol hoisting: moves integer computations on symbols out of loops and of conditionals around
//! loops, in front of the nest.
//!
//! ```text
//! scf.for %t = … {                            %m = arith.subi %n, %c1 : i32
//!   %m = arith.subi %n, %c1 : i32      ⇒      scf.for %t = … {
//!   scf.for %i = %c1 to %m … { … }              scf.for %i = %c1 to %m … { … }
//! }                                           }
//! ```
//!
//! A value at the top level of a function is a symbol; computed in a region it is not, and a bound
//! or a subscript that uses it is not affine. `memref.get_global` goes there, too, so that loops name the
//! same memory. Legal for a pure operation that is defined whatever its
//! operands are, where these are at the top of the function, too.

use gridloom_dialects::memref;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, Value};

use crate::analysis::loop_kind::holds_any_loop;
use crate::transform::affine_scope::is_top_level;
use crate::transform::loop_invariant_code_motion::is_speculatable;

/// Hoists integer computations on symbols and names of globals among `ops`, given in pre-order, to the
/// top of the function, where they stand in an operation with loops. Returns whether there was one.
pub(super) fn hoist(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut changed = false;
    let mut around = None;
    for &op in ops {
        let Some(outermost) = body.ancestors(op).last() else {
            around = holds_any_loop(body, op).then_some(op);
            continue;
        };
        let mut operands = body[op].operands.iter();
        if around == Some(outermost)
            && (is_number(ctx, body, op) || body[op].name == memref::GET_GLOBAL)
            && operands.all(|&value| is_top_level(body, value))
        {
            body.detach(op);
            body.insert_before(outermost, op);
            changed = true;
        }
    }
    changed
}

/// Whether an operation has integer results, reads no memory, and is defined for all operands.
pub(in crate::transform) fn is_number(ctx: &Context, body: &Body, op: OpId) -> bool {
    let is_integer = |value: Value| {
        let ty = body.ty(value);
        ty.is_index(ctx) || ty.signless_width(ctx).is_some()
    };
    let data = &body[op];
    data.num_results() > 0
        && data.results().all(is_integer)
        && data.inline_regions().is_empty()
        && data.name.has(Traits::PURE)
        && !data.name.has(Traits::TERMINATOR)
        && is_speculatable(ctx, body, op)
}
