//! Loads at clamped indices: loads under a condition that keeps their index in range, which may run without it.
//!
//! ```text
//! %t = affine.if (%i - 1 >= 0) {             %at = arith.subi %i, 1
//!   %v = affine.load %x[%i - 1]              %in = arith.maxsi %at, 0
//!   affine.yield %v                    ⇒     %v = memref.load %x[%in]
//! } else { affine.yield %zero }              %c = arith.cmpi sge, %at, 0
//!                                            %t = arith.select %c, %v, %zero
//! ```
//!
//! Legal where the memory holds something, and has an element: each extent that an index is clamped to is at least 1 wherever the
//! branch runs. What is loaded without the condition is not used.

use gridloom_dialects::{affine, arith, gridloom, memref};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use crate::analysis::bounds::is_within;
use crate::analysis::dependence::Dependences;
use crate::analysis::interval::Interval;
use crate::transform::loop_invariant_code_motion::has_constant_divisors;
use crate::transform::lower_affine::expand_results;
use crate::transform::speculation::{is_filled, open_dimensions};

/// A load, and the dimensions whose index is clamped.
pub(super) struct ClampedLoad {
    load: OpId,
    dims: Vec<usize>,
}

impl ClampedLoad {
    /// The load of a branch as one at clamped indices; `None` for another operation, and for a load of memory that may hold nothing
    /// or have no elements.
    pub(super) fn of(deps: &mut Dependences, load: OpId, branch: OpId) -> Option<Self> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        if !matches!(body[load].name, memref::LOAD | affine::LOAD) {
            return None;
        }
        let memref = body[load].operands[0];
        if let Some(access) = affine::Access::cast(body, load) {
            // A divisor that is no constant may be 0 where the condition does not hold.
            if !has_constant_divisors(ctx, access.map(ctx, body)) {
                return None;
            }
        }
        if !is_filled(body, memref) {
            return None;
        }
        let dims = open_dimensions(deps, load, branch, memref);
        let at_least_one = Interval {
            least: 1,
            most: i64::MAX.into(),
        };
        let has_elements = |&dim: &usize| {
            let extent = deps.values.extent(memref, dim);
            is_within(&mut deps.values, branch, extent, at_least_one)
        };
        dims.iter()
            .all(has_elements)
            .then_some(ClampedLoad { load, dims })
    }

    /// Replaces the load by one at clamped indices, in the same place.
    pub(super) fn clamp(&self, ctx: &Context, body: &mut Body) {
        let load = self.load;
        let mut indices = match affine::Access::cast(body, load) {
            Some(access) => {
                let (map, operands) = (access.map(ctx, body), access.operands(body).to_vec());
                expand_results(&mut Builder::before(ctx, body, load), map, &operands)
            }
            None => body[load].operands[1..].to_vec(),
        };
        let memref = body[load].operands[0];
        let mut b = Builder::before(ctx, body, load);
        for &dim in &self.dims {
            indices[dim] = clamped(&mut b, memref, dim, indices[dim]);
        }
        let value = memref::LoadOp::create(&mut b, memref, &indices);
        if let Some(new) = body.defining_op(value) {
            gridloom::set_in_bounds(ctx, &mut body[new], true);
        }
        body.replace_uses(body[load].result(0), value);
        body.erase(load);
    }
}

/// The index in range of a dimension that is closest to `index`.
fn clamped(b: &mut Builder, memref: Value, dim: usize, index: Value) -> Value {
    let size = b.body.ty(memref).memref(b.ctx).map(|ty| ty.shape[dim]);
    let last = match size.filter(|&size| size != DYNAMIC) {
        Some(size) => b.index_constant(size - 1),
        None => {
            let (number, one) = (b.index_constant(dim as i64), b.index_constant(1));
            let extent = memref::DimOp::create(b, memref, number);
            b.binary(arith::SUBI, extent, one)
        }
    };
    let zero = b.index_constant(0);
    let index = b.binary(arith::MAXSI, index, zero);
    b.binary(arith::MINSI, index, last)
}
