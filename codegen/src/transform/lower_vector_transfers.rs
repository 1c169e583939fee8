//! `lower-vector-transfers`: transfers of short vectors as accesses of their lanes.
//!
//! ```text
//!                                                %in = arith.cmpi slt, %i + 1, %n
//! %v = vector.transfer_read %a[%i], %pad    ⇒    %y = scf.if %in { memref.load %a[%i + 1] } else { %pad }
//!        : memref<?xf32>, vector<2xf32>          %v = vector.from_elements %x, %y
//! ```
//!
//! Analyses and kernels know plain accesses, not permutations, broadcasts and padding. A lane is
//! tested where its dimension is not said to be in bounds; raising turns the test into `affine.if`,
//! and `merge-adjacent-accesses` finds the runs again where no test is left. Transfers of tensors,
//! of vectors of vectors, with a mask, of several dimensions or of more than [`MAX_LANES`] lanes
//! stay.

use std::collections::HashMap;

use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::dialect::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::dialect::memref::{DimOp, LoadOp, StoreOp};
use gridloom_ir::dialect::scf;
use gridloom_ir::dialect::vector::{self, VectorShape};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Type, Value};

/// Longest vector whose lanes are accessed one by one.
const MAX_LANES: i64 = 16;

/// Lowers the transfers of a body. Returns whether anything changed.
pub fn lower_transfers(ctx: &Context, body: &mut Body) -> bool {
    let transfers: Vec<Transfer> = (body.walk().into_iter())
        .filter_map(|op| Transfer::of(ctx, body, op))
        .collect();
    let changed = !transfers.is_empty();
    let mut read = HashMap::new();
    for transfer in transfers {
        transfer.lower(ctx, body, &mut read);
    }
    if !read.is_empty() {
        body.replace_values(|value| read.get(&value).copied().unwrap_or(value));
    }
    changed
}

/// A transfer that has a form by lanes.
struct Transfer {
    op: OpId,
    is_read: bool,
    memref: Value,
    indices: Vec<Value>,
    /// The value read or written.
    vector: Value,
    lanes: i64,
    element: Type,
    /// The dimension that lanes lie along; all read one element otherwise.
    along: Option<usize>,
    /// Whether lanes may lie outside of that dimension.
    is_tested: bool,
}

impl Transfer {
    fn of(ctx: &Context, body: &Body, op: OpId) -> Option<Transfer> {
        let data = &body[op];
        let is_read = match data.name {
            vector::TRANSFER_READ => true,
            vector::TRANSFER_WRITE => false,
            _ => return None,
        };
        let first = usize::from(!is_read);
        let base = *data.operand_segment(ctx, first).first()?;
        let ty = body.ty(base).memref(ctx)?;
        let vector = match is_read {
            true => data.result(0),
            false => *data.operands.first()?,
        };
        let shape = VectorShape::of(ctx, body.ty(vector))?;
        let &[lanes] = shape.shape else {
            return None;
        };
        let map = data.attr(ctx, "permutation_map")?.as_map(ctx)?;
        let in_bounds = data.attr(ctx, "in_bounds")?.as_array(ctx)?;
        let is_short = !shape.is_scalable() && (1..=MAX_LANES).contains(&lanes);
        let is_masked = !data.operand_segment(ctx, 3).is_empty();
        if !is_short || is_masked || ty.element != shape.element {
            return None;
        }
        let along = match map.results(ctx).first()?.kind(ctx) {
            AffineExprKind::Dim(dim) => Some(dim as usize),
            // A broadcast reads one element; writes have none.
            _ if is_read => None,
            _ => return None,
        };
        Some(Transfer {
            op,
            is_read,
            memref: base,
            indices: data.operand_segment(ctx, first + 1).to_vec(),
            vector,
            lanes,
            element: shape.element,
            along,
            is_tested: along.is_some() && in_bounds.first()?.as_bool(ctx) != Some(true),
        })
    }

    /// Makes the accesses in place of the transfer. A vector that is read goes to `read`, by the
    /// result it is to replace.
    fn lower(&self, ctx: &Context, body: &mut Body, read: &mut HashMap<Value, Value>) {
        let ty = body.ty(self.vector);
        let mut b = Builder::before(ctx, body, self.op);
        let extent = self
            .along
            .filter(|_| self.is_tested)
            .map(|dim| extent(&mut b, self.memref, dim));
        if !self.is_read {
            let types = vec![self.element; self.lanes as usize];
            let state = b.state(vector::TO_ELEMENTS).operands(&[self.vector]);
            let parts = b.create(state.results(&types));
            let parts: Vec<Value> = b.body[parts].results().collect();
            for (lane, part) in (0..).zip(parts) {
                self.write_lane(&mut b, lane, part, extent);
            }
            body.erase(self.op);
            return;
        }
        let padding = b.body[self.op].operand_segment(ctx, 2)[0];
        let mut parts = Vec::new();
        for lane in 0..self.lanes {
            let part = match (self.along, parts.first()) {
                (None, Some(&same)) => same,
                _ => self.read_lane(&mut b, lane, padding, extent),
            };
            parts.push(part);
        }
        let state = b.state(vector::FROM_ELEMENTS).operands(&parts);
        let whole = b.create(state.results(&[ty]));
        read.insert(self.vector, b.body[whole].result(0));
        body.erase(self.op);
    }

    fn read_lane(
        &self,
        b: &mut Builder,
        lane: i64,
        padding: Value,
        extent: Option<Value>,
    ) -> Value {
        let indices = self.indices_of(b, lane);
        let Some(inside) = self.test(b, &indices, extent) else {
            return LoadOp::create(b, self.memref, &indices);
        };
        let guard = scf::IfOp::create(b, inside, &[self.element], true);
        let after = b.point();
        b.set(InsertPoint::End(guard.then_block(b.body)));
        let value = LoadOp::create(b, self.memref, &indices);
        b.create(b.state(scf::YIELD).operands(&[value]));
        if let Some(block) = guard.else_block(b.body) {
            scf::yield_values(b, block, &[padding]);
        }
        b.set(after);
        b.body[guard.0].result(0)
    }

    fn write_lane(&self, b: &mut Builder, lane: i64, part: Value, extent: Option<Value>) {
        let indices = self.indices_of(b, lane);
        let Some(inside) = self.test(b, &indices, extent) else {
            StoreOp::create(b, part, self.memref, &indices);
            return;
        };
        let guard = scf::IfOp::create(b, inside, &[], false);
        let after = b.point();
        b.set(InsertPoint::End(guard.then_block(b.body)));
        StoreOp::create(b, part, self.memref, &indices);
        b.create(b.state(scf::YIELD));
        b.set(after);
    }

    /// The subscripts of a lane's element.
    fn indices_of(&self, b: &mut Builder, lane: i64) -> Vec<Value> {
        let mut indices = self.indices.clone();
        if let (Some(index), 1..) = (self.along.and_then(|dim| indices.get_mut(dim)), lane) {
            let offset = b.index_constant(lane);
            *index = b.binary(arith::ADDI, *index, offset);
        }
        indices
    }

    /// `0 <= index < extent`, if that is to be tested.
    fn test(&self, b: &mut Builder, indices: &[Value], extent: Option<Value>) -> Option<Value> {
        let (index, extent) = (*indices.get(self.along?)?, extent?);
        let zero = b.index_constant(0);
        let above = CmpIOp::create(b, CmpIPredicate::Sge, index, zero);
        let below = CmpIOp::create(b, CmpIPredicate::Slt, index, extent);
        Some(b.binary(arith::ANDI, above, below))
    }
}

/// The extent of a memref's dimension.
fn extent(b: &mut Builder, memref: Value, dim: usize) -> Value {
    let ty = b.body.ty(memref).memref(b.ctx);
    match ty.and_then(|ty| ty.shape.get(dim)) {
        Some(&extent) if extent >= 0 => b.index_constant(extent),
        _ => {
            let dim = b.index_constant(dim as i64);
            DimOp::create(b, memref, dim)
        }
    }
}
